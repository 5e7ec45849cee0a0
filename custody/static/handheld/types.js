/**
 * The shapes that pass between the handheld's modules. Times are UTC milliseconds.
 *
 * @typedef {{device: string, run: number, site: string, setting: Record<string, any>,
 *   serverKey: string, name: string, state: "active"|"pending"|"revoked"}} Device
 *   what enrolment gave; `setting` is the site's setting as the server sent it
 *
 * @typedef {{person: string, how: string, at: number, mono: number}
 *   | {person?: undefined, name: string, agency: string, number: string, job: string, how: string,
 *   signature: string, at: number, mono: number}} Signature
 *   somebody of the house, or an outside signer with the signature that they drew
 *
 * @typedef {{step: string, items: string[], from?: string|null, to?: string|null,
 *   into?: string|null, where?: string|null, with: Record<string, any>, note?: string,
 *   kind?: string, form?: string, attributes?: Record<string, any>}} Draft
 *   a step as a screen gathers it, before it is signed
 *
 * @typedef {{of: string, id: string, value: any, etag?: string}} Row
 *   a record of the replica
 *
 * @typedef {{run: number, seq: number, id: string, line: string, at: number, step: string,
 *   items: string[], place: string|null, by: string[],
 *   state: "queued"|"acked"|"forked", ackedAt?: number, lease?: boolean,
 *   exceptions?: {id: string, kind: string, clause: string|null, text: string}[]}} Kept
 *   an event as the outbox keeps it; `line` are the bytes that were hashed
 *
 * @typedef {{run: number, seq: number, id: string}} Head
 */
export {};
