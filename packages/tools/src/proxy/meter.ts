/** Counts all bytes of the sockets of one command: also URLs, headers and refused requests. */
import type { Socket } from "node:net";
import { PROXY_BYTES_MAX } from "./limits.ts";

export interface Meter {
  /** Counts a new socket until it closes. */
  watch(socket: Socket): void;
}

/** `onFull` is called once, with the reason. */
export function createMeter(onFull: (why: string) => void, most = PROXY_BYTES_MAX): Meter {
  let passed = 0;
  let isFull = false;
  return {
    watch: (socket) => {
      let counted = 0;
      const count = () => {
        const { bytesRead, bytesWritten } = socket;
        passed += bytesRead + bytesWritten - counted;
        counted = bytesRead + bytesWritten;
        if (isFull || passed <= most) return;
        isFull = true;
        onFull(`a command sends and receives at most ${most} bytes`);
      };
      socket.on("data", count);
      socket.once("close", count);
    },
  };
}
