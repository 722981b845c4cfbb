/** Takes a word of every step of long work, and passes on few of them. */
export type Say = (words: string) => void;

/** Between two lines. */
const EVERY_MS = 5_000;

interface ProgressOptions {
  readonly write: (text: string) => void;
  readonly nowMs: () => number;
}

// Only the result of the work goes to stdout.
const toPeople: ProgressOptions = {
  write: (text) => process.stderr.write(text),
  nowMs: () => performance.now(),
};

/** Says how far work is, every few seconds at most. What is soon over says nothing. */
export function createProgress({ write, nowMs }: ProgressOptions = toPeople): Say {
  let saidMs = nowMs();
  return (words) => {
    const atMs = nowMs();
    if (atMs - saidMs < EVERY_MS) return;
    saidMs = atMs;
    write(`${words}\n`);
  };
}
