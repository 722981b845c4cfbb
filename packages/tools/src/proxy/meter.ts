/** Counts the bytes of all connections of one command. */
import { Transform } from "node:stream";
import { PROXY_BYTES_MAX } from "./limits.ts";

export interface Meter {
  /** A part of a stream that counts what passes. */
  measure(): Transform;
}

/** `onFull` is called once, with the reason. */
export function createMeter(onFull: (why: string) => void, most = PROXY_BYTES_MAX): Meter {
  let passed = 0;
  return {
    measure: () =>
      new Transform({
        transform: (chunk: Buffer, _, done) => {
          const wasFull = passed > most;
          passed += chunk.length;
          if (passed <= most) return done(null, chunk);
          const why = `a command sends and receives at most ${most} bytes`;
          if (!wasFull) onFull(why);
          done(new Error(why));
        },
      }),
  };
}
