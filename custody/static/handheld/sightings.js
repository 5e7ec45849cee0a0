/** Which of the camera's reads count as scans. */

/** A code is taken again once it was out of view for so long. */
const GONE = 1500;
/** Two equal reads count together within this time. */
const TOGETHER = 1000;

/** Decides which reads count: two equal ones in a row, once for as long as the code is in view. */
export class Sightings {
  constructor() {
    this.before = { read: "", at: -Infinity };
    /** @type {Map<string, number>} */
    this.taken = new Map();
  }

  /**
   * @param {string | null} read what this picture shows
   * @param {number} at milliseconds
   * @returns {string | null} a code that counts as scanned now
   */
  see(read, at) {
    for (const [code, last] of this.taken) if (at - last > GONE) this.taken.delete(code);
    if (!read) return null;
    const twice = read === this.before.read && at - this.before.at < TOGETHER;
    this.before = { read, at };
    if (this.taken.has(read)) {
      this.taken.set(read, at);
      return null;
    }
    if (!twice) return null;
    this.taken.set(read, at);
    return read;
  }
}
