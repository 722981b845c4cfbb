import { strict as assert } from "node:assert";
import type { LiveDelta } from "@turnseal/protocol/streaming";
import { bindContract, type ContractCase, type ContractOptions } from "../contract.ts";
import type { LiveBus, LiveListener, LiveWatch } from "./live-bus.ts";

/** A writer and a watcher: of one process, or of two that share a bus. */
export interface LiveBusSubject {
  readonly writer: LiveBus;
  readonly watcher: LiveBus;
}

/** How long the contract waits for an event. */
const ARRIVAL_MS_MAX = 5_000;

const RUN = "00000000-0000-4000-8000-00000000000a";
const OTHER_RUN = "00000000-0000-4000-8000-00000000000b";

/** The contract of every live bus. */
export function liveBusContract(options: ContractOptions<LiveBusSubject>): ContractCase[] {
  return bindContract(sentences, options);
}

const sentences: Readonly<Record<string, (subject: LiveBusSubject) => Promise<void>>> = {
  "every piece is told once, in order": async ({ writer, watcher }) => {
    const { heard, close } = await listen(watcher);
    const pieces = write(
      writer,
      Array.from({ length: 50 }, (_, index) => `${index},`),
    );
    await until(() => heard.deltas.length >= pieces.length);
    await passMark(writer, heard);
    assert.deepEqual(withoutMarks(heard.deltas), pieces);
    close();
  },
  "a watcher that joins late gets the written part, then the rest": async (subject) => {
    const { writer, watcher } = subject;
    const first = await listen(watcher);
    const pieces = ["the ", "first ", "half, ", "and ", "the ", "second"];
    write(writer, pieces.slice(0, 3));
    await passMark(writer, first.heard);
    const second = await listen(watcher);
    write(writer, pieces.slice(3), { offset: pieces.slice(0, 3).join("").length });
    await until(() => assemble(second.heard.deltas).get("a.0") === pieces.join(""));
    assert.equal(assemble(first.heard.deltas).get("a.0"), pieces.join(""));
    first.close();
    second.close();
  },
  "pieces that are written while somebody joins are neither lost nor told twice": async (
    subject,
  ) => {
    const { writer, watcher } = subject;
    const pieces = Array.from({ length: 100 }, (_, index) => `${index} `);
    let offset = 0;
    const joined: Listening[] = [];
    for (const [index, text] of pieces.entries()) {
      write(writer, [text], { offset });
      offset += text.length;
      if (index % 10 === 5) joined.push(startListening(watcher));
      if (index % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    }
    for (const { heard, close } of joined) {
      await until(() => assemble(heard.deltas).get("a.0") === pieces.join(""));
      close();
    }
  },
  "messages of one run are kept apart by key, part and kind": async ({ writer, watcher }) => {
    write(writer, ["one"], { key: "a", part: 0 });
    write(writer, ["two"], { key: "a", part: 1, kind: "reasoning" });
    write(writer, ["three"], { key: "b", part: 0, kind: "tool-output" });
    const { heard, close } = await listen(watcher);
    await until(() => assemble(heard.deltas).size === 3);
    assert.deepEqual(
      assemble(heard.deltas),
      new Map([
        ["a.0", "one"],
        ["a.1", "two"],
        ["b.0", "three"],
      ]),
    );
    assert.equal(heard.deltas.find(({ part }) => part === 1)?.kind, "reasoning");
    close();
  },
  "a finished message is not told to those who join later": async ({ writer, watcher }) => {
    const first = await listen(watcher);
    write(writer, ["done"], { key: "a", part: 0 });
    write(writer, ["done, too"], { key: "a", part: 1 });
    write(writer, ["open"], { key: "b" });
    writer.finish({ run: RUN, key: "a" });
    await passMark(writer, first.heard);
    const second = await listen(watcher);
    await passMark(writer, second.heard);
    assert.deepEqual([...assemble(second.heard.deltas)], [["b.0", "open"]]);
    first.close();
    second.close();
  },
  "an attempt that begins again makes the text of the earlier one void": async (subject) => {
    const { writer, watcher } = subject;
    const first = await listen(watcher);
    write(writer, ["an answer that ", "was cut"], { epoch: 1 });
    write(writer, ["another"], { epoch: 2 });
    await passMark(writer, first.heard);
    const { heard, close } = await listen(watcher);
    await passMark(writer, heard);
    const told = withoutMarks(heard.deltas);
    assert.deepEqual([...new Set(told.map(({ epoch }) => epoch))], [2]);
    assert.equal(assemble(told).get("a.0"), "another");
    first.close();
    close();
  },
  "a run hears nothing of another": async ({ writer, watcher }) => {
    const { heard, close } = await listen(watcher);
    write(writer, ["not for you"], { run: OTHER_RUN });
    writer.moved(OTHER_RUN);
    await passMark(writer, heard);
    assert.deepEqual(withoutMarks(heard.deltas), []);
    assert.equal(heard.moves, 0);
    close();
  },
  "everybody who watches hears that the log has grown": async ({ writer, watcher }) => {
    const [first, second] = [await listen(watcher), await listen(watcher)];
    writer.moved(RUN);
    await until(() => first.heard.moves > 0 && second.heard.moves > 0);
    first.close();
    second.close();
  },
  "a watch that is closed hears nothing more, and the others do": async ({ writer, watcher }) => {
    const [closed, open] = [await listen(watcher), await listen(watcher)];
    closed.close();
    closed.close();
    write(writer, ["still here"]);
    writer.moved(RUN);
    await passMark(writer, open.heard);
    await until(() => open.heard.moves > 0);
    assert.deepEqual([closed.heard.deltas, closed.heard.moves], [[], 0]);
    assert.equal(assemble(open.heard.deltas).get("a.0"), "still here");
    open.close();
  },
  "a listener that throws disturbs nobody": async ({ writer, watcher }) => {
    const fail = () => {
      throw new Error("a listener of the contract failed");
    };
    const failing = watcher.watch(RUN, { delta: fail, moved: fail });
    await failing.ready;
    const { heard, close } = await listen(watcher);
    write(writer, ["one ", "two"]);
    writer.moved(RUN);
    await passMark(writer, heard);
    await until(() => heard.moves > 0);
    assert.equal(assemble(heard.deltas).get("a.0"), "one two");
    failing.close();
    close();
  },
};

interface Heard {
  readonly deltas: LiveDelta[];
  moves: number;
}

interface Listening {
  readonly heard: Heard;
  readonly ready: LiveWatch["ready"];
  readonly close: () => void;
}

async function listen(bus: LiveBus): Promise<Listening> {
  const listening = startListening(bus);
  await listening.ready;
  return listening;
}

function startListening(bus: LiveBus): Listening {
  const heard: Heard = { deltas: [], moves: 0 };
  const listener: LiveListener = {
    delta: (delta) => void heard.deltas.push(delta),
    moved: () => {
      heard.moves++;
    },
  };
  const watch = bus.watch(RUN, listener);
  return { heard, ready: watch.ready, close: () => watch.close() };
}

/** Publishes a text in pieces, and answers with what was published. */
function write(bus: LiveBus, texts: readonly string[], part: Partial<LiveDelta> = {}): LiveDelta[] {
  let offset = part.offset ?? 0;
  return texts.map((text) => {
    const message = { run: RUN, turn: 1, kind: "text", key: "a", part: 0, epoch: 1 } as const;
    const delta: LiveDelta = { ...message, ...part, offset, text };
    bus.publish(delta);
    offset += text.length;
    return delta;
  });
}

const MARK = "mark";
let marks = 0;

/** Publishes a message of its own and waits for it: all earlier ones have arrived then. */
async function passMark(bus: LiveBus, heard: Heard): Promise<void> {
  const part = ++marks;
  const count = heard.deltas.length;
  write(bus, ["here"], { key: MARK, part });
  const isMark = (delta: LiveDelta) => delta.key === MARK && delta.part === part;
  await until(() => heard.deltas.slice(count).some(isMark));
  bus.finish({ run: RUN, key: MARK });
}

function withoutMarks(deltas: readonly LiveDelta[]): LiveDelta[] {
  return deltas.filter(({ key }) => key !== MARK);
}

/** The text of each message; a gap or a piece that comes twice is an error. */
function assemble(deltas: readonly LiveDelta[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { key, part, offset, text } of withoutMarks(deltas)) {
    const name = `${key}.${part}`;
    const known = texts.get(name) ?? "";
    assert.equal(offset, known.length, `${name} has ${known.length} characters`);
    texts.set(name, known + text);
  }
  return texts;
}

async function until(isTrue: () => boolean): Promise<void> {
  const startedAt = performance.now();
  while (!isTrue()) {
    if (performance.now() - startedAt > ARRIVAL_MS_MAX)
      assert.fail(`nothing came within ${ARRIVAL_MS_MAX} ms`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
