import type { WriteStream } from "node:tty";
import { foldLine } from "./fold-line.ts";
import { formatLine, type Line } from "./line.ts";
import { nameProgram } from "./name-program.ts";

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
  /** Replaces the lines of the last drawing; written text stands above. */
  draw(lines: readonly string[]): void;
  /** Leaves what is drawn where it is: the next drawing begins below it. */
  keepDrawn(): void;
}

/** The output of a command: results go to `out`, everything about them to `err`. */
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
  const rename = nameProgram(environment);
  let drawn: readonly string[] = [];
  const write = (text: string, lines: readonly string[]): void => {
    const drawing = lines.map((line) => `${line}\n`).join("");
    stream.write(`${eraseLines(drawn.length)}${text}${drawing}`);
    drawn = lines;
  };
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
    writeLine: (line) => {
      const named = rename(line);
      const rows = isLive ? foldLine(named, stream.columns || COLUMNS_DEFAULT) : [named];
      write(rows.map((row) => `${formatLine(row, { isColoured })}\n`).join(""), drawn);
    },
    writeText: (text) => write(text, drawn),
    draw: (lines) => write("", lines),
    keepDrawn: () => {
      drawn = [];
    },
  };
}

// Up to the first drawn line, then clear to the end of the screen. From the first column: Ctrl-C
// makes a terminal write that at the cursor.
function eraseLines(count: number): string {
  return count === 0 ? "" : `\r\u001b[${count}A\u001b[J`;
}
