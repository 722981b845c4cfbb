/** The memory that a router uses for all requests together. */
import { RouterError } from "./refusal.ts";

export interface HeldBytes {
  /** Counts bytes that came. Throws where there is no room for them. */
  add(bytes: number): void;
  /** They are held no more. */
  release(): void;
}

/** Room for so many bytes of all; each that is held is released once. */
export function createRoom(bytesMax: number): () => HeldBytes {
  let heldBytes = 0;
  return () => {
    let own = 0;
    return {
      add: (bytes) => {
        if (heldBytes + bytes > bytesMax) throw new RouterError("ROUTER_BUSY");
        heldBytes += bytes;
        own += bytes;
      },
      release: () => {
        heldBytes -= own;
        own = 0;
      },
    };
  };
}
