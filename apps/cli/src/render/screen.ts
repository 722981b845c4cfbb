import type { WriteStream } from "node:tty";
import { formatLine, type Line } from "./line.ts";

/** One of the two streams that a command writes to. */
export interface Screen {
  /** True when lines may be rewritten in place. */
  readonly isLive: boolean;
  readonly isColoured: boolean;
  readonly columns: number;
  readonly rows: number;
  writeLine(line: Line): void;
  /** Writes text that is safe already, as it is. */
  writeText(text: string): void;
}

/** What a command is given to speak with: results go to `out`, everything about them to `err`. */
export interface Terminal {
  readonly out: Screen;
  readonly err: Screen;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Stream = Pick<WriteStream, "write"> & Partial<Pick<WriteStream, "isTTY" | "columns" | "rows">>;

const COLUMNS_DEFAULT = 80;
const ROWS_DEFAULT = 24;

/**
 * Makes a screen of a stream. Escape codes are only for a terminal, colours only where NO_COLOR
 * does not forbid them.
 */
export function createScreen(stream: Stream, environment: Environment): Screen {
  const isLive = stream.isTTY === true && environment["TERM"] !== "dumb";
  const isColoured = isLive && (environment["NO_COLOR"] ?? "") === "";
  return {
    isLive,
    isColoured,
    // Read each time: the window may be resized.
    get columns() {
      return stream.columns || COLUMNS_DEFAULT;
    },
    get rows() {
      return stream.rows || ROWS_DEFAULT;
    },
    writeLine: (line) => void stream.write(`${formatLine(line, { isColoured })}\n`),
    writeText: (text) => void stream.write(text),
  };
}
