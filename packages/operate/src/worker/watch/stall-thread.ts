/**
 * The thread beside a worker that ends the process when its event loop has stopped.
 *
 * 1. It counts its own ticks, never the clock: a process that was suspended, or starved of CPU as a
 *    whole, has not stalled.
 * 2. It asks the stopped thread itself which run and tool it executes. A thread that is in native
 *    code does not answer: then every tool that was being executed is named.
 * 3. It imports nothing of this project, so that it starts alike from source and from a build.
 */
import { writeSync } from "node:fs";
import { Session } from "node:inspector";
import { isMainThread, workerData } from "node:worker_threads";

/** Where this file is, for the thread that starts it. */
export const STALL_THREAD = new URL(import.meta.url);
/** How often the event loop reports that it turns, and how often the reports are checked. */
export const BEAT_MS = 100;
/** The name of the function that says what is executed now. */
export const PLACE_SYMBOL = "turnseal.place";
/** The exit code of a worker that was ended because its event loop had stopped. */
export const STALLED_EXIT_CODE = 70;
/** How long the stopped thread has to say what it executes, and then to exit. */
const ANSWER_MS_MAX = 3_000;
/** How often a line is written again to a pipe that is full. */
const WRITES_MAX = 20;

export interface StallData {
  readonly watchesStall: true;
  /** The count of beats, and the length of the text in `names`. */
  readonly beats: Int32Array;
  /** The running work, as JSON: a list of places. */
  readonly names: Uint8Array;
  readonly stallMaxMs: number;
  /** Where log lines go. */
  readonly logFd: number;
}

type Place = Readonly<Record<string, string>>;

function watch(data: StallData): void {
  let [last, silent] = [-1, 0];
  const timer = setInterval(() => {
    const now = Atomics.load(data.beats, 0);
    silent = now === last ? silent + 1 : 0;
    last = now;
    if (silent * BEAT_MS < data.stallMaxMs) return;
    clearInterval(timer);
    endProcess(data);
  }, BEAT_MS);
}

function endProcess(data: StallData): void {
  const session = new Session();
  const kill = setTimeout(() => {
    for (const place of readNames(data)) say(data, place);
    process.kill(process.pid, "SIGKILL");
  }, ANSWER_MS_MAX);
  session.connectToMainThread();
  session.once("Debugger.paused", ({ params }) => {
    const callFrameId = params.callFrames[0]?.callFrameId ?? "";
    const ask = (expression: string, take: (value: unknown) => void): void =>
      session.post(
        "Debugger.evaluateOnCallFrame",
        { callFrameId, expression, returnByValue: true },
        (_, answer) => take(answer?.result.value),
      );
    ask(`process[Symbol.for("${PLACE_SYMBOL}")]?.()`, (value) => {
      clearTimeout(kill);
      say(data, typeof value === "string" ? (JSON.parse(value) as Place) : {});
      setTimeout(() => process.kill(process.pid, "SIGKILL"), ANSWER_MS_MAX);
      ask(`process.exit(${STALLED_EXIT_CODE})`, () => {});
    });
  });
  session.post("Debugger.enable");
  session.post("Debugger.pause");
}

/** Every tool that was being executed; one empty place where there was none. */
function readNames({ beats, names }: StallData): readonly Place[] {
  const text = Buffer.from(names.slice(0, Atomics.load(beats, 1))).toString();
  const places = text === "" ? [] : (JSON.parse(text) as Place[]);
  return places.length === 0 ? [{}] : places;
}

/** The main thread writes nothing any more, so this one does. */
function say({ logFd, stallMaxMs }: StallData, place: Place): void {
  const at = new Date().toISOString();
  const facts = { at, level: "error", what: "worker.stalled", ...place, stallMaxMs };
  const line = `${JSON.stringify(facts)}\n`;
  for (let tries = 0; tries < WRITES_MAX; tries++) {
    try {
      writeSync(logFd, line);
      return;
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ANSWER_MS_MAX / WRITES_MAX);
    }
  }
}

function isStallData(data: unknown): data is StallData {
  return typeof data === "object" && data !== null && "watchesStall" in data;
}

if (!isMainThread && isStallData(workerData)) watch(workerData);
