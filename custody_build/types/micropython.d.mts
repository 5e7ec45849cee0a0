/** What the app uses of @micropython/micropython-webassembly-pyscript, which ships no types. */
export interface MicroPython {
  FS: {
    mkdirTree(path: string): void;
    writeFile(path: string, content: string | Uint8Array): void;
  };
  globals: { get(name: string): any; set(name: string, value: unknown): void };
  pyimport(name: string): any;
  runPython(code: string): any;
}
export function loadMicroPython(options?: {
  url?: string;
  /** Bytes of the Python heap. */
  heapsize?: number;
  pystack?: number;
  linebuffer?: boolean;
  stdout?: (line: string) => void;
  stderr?: (line: string) => void;
}): Promise<MicroPython>;
