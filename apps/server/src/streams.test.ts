// Watching a run while it is written: the frames of a reader, and their order.
import { expect, test } from "vitest";
import { type Frame, readFrames } from "./read-frames.test.data.ts";
import { deskModel, openSampleServer, type SampleServer } from "./sample-server.test.data.ts";

const WORDS = ["Here ", "is ", "what ", "you ", "asked ", "for."];
const isDelta = ({ event }: Frame) => event === "delta";
const isDone = ({ event, data }: Frame) => event === "state" && data.status === "done";
const eventsOf = (frames: readonly Frame[]) =>
  frames.filter(({ event }) => event === "event").map(({ data }) => data);

/** A model that says a word on each release. */
function openGate() {
  const waiting: (() => void)[] = [];
  let isOpen = false;
  return {
    model: deskModel(() =>
      isOpen ? Promise.resolve() : new Promise((resume) => void waiting.push(resume)),
    ),
    open: () => {
      isOpen = true;
      for (const resume of waiting.splice(0)) resume();
    },
    step: async () => {
      while (waiting.length === 0) await new Promise((resume) => setTimeout(resume, 1));
      waiting.shift()?.();
      while (waiting.length === 0) await new Promise((resume) => setTimeout(resume, 1));
    },
  };
}

async function withServer(
  options: Parameters<typeof openSampleServer>[0],
  body: (sample: SampleServer) => Promise<void>,
): Promise<void> {
  const sample = await openSampleServer(options);
  try {
    await body(sample);
  } finally {
    await sample.close();
  }
}

/** The text of each message that is being written; a gap or a repeat is an error. */
function assemble(frames: readonly Frame[]): string[] {
  const texts = new Map<string, string>();
  for (const { data } of frames.filter(isDelta)) {
    const known = texts.get(data.message) ?? "";
    expect(data.offset).toBe(known.length);
    texts.set(data.message, known + data.text);
  }
  return [...texts.values()];
}

test("pieces come as they are written, and join to the message that is stored", async () => {
  const gate = openGate();
  await withServer({ model: gate.model }, async (sample) => {
    const run = await sample.start("ada", "desk", { text: "hello" });
    const first = await readFrames(sample, { person: "ada", run });
    await gate.step();
    await first.until(({ event, data }) => event === "delta" && data.text === "is ");
    // A later reader gets the beginning, too.
    const second = await readFrames(sample, { person: "bob", run });
    await second.until(isDelta);
    expect(assemble(second.frames)).toEqual([assemble(first.frames)[0]]);
    gate.open();
    for (const reader of [first, second]) {
      await reader.until(isDone);
      const [, answer] = eventsOf(reader.frames);
      expect(assemble(reader.frames)).toEqual([WORDS.join("")]);
      expect(answer).toMatchObject({
        type: "assistant-message",
        content: { text: WORDS.join("") },
      });
      const [delta] = reader.frames.filter(isDelta);
      expect(delta?.data).toMatchObject({ message: answer.message, kind: "text" });
      expect(delta?.data.generationId).toBe(answer.generationId);
      expect(delta?.id).toBeUndefined();
    }
  });
});

test("whoever comes back with the last id is told what is after it, once", async () => {
  await withServer({}, async (sample) => {
    const run = await sample.start("ada", "desk", { text: "refund A-7 2000" });
    const first = await readFrames(sample, { person: "ada", run });
    const { data } = await first.until(
      (frame) => frame.event === "state" && frame.data.requests[0],
    );
    first.leave();
    const seen = eventsOf(first.frames);
    const approval = data.requests[0].id;
    await sample.ask("ada", `/v1/runs/${run}/decisions`, { approval, choice: "approve" });
    const after = seen.at(-1).id;
    const second = await readFrames(sample, { person: "ada", run, after });
    await second.until(isDone);
    const whole = await readFrames(sample, { person: "ada", run });
    await whole.until(isDone);
    const ids = [...seen, ...eventsOf(second.frames)].map(({ id }) => id);
    expect(ids).toEqual(eventsOf(whole.frames).map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    // Every place is one to come back to.
    for (const [index, id] of ids.entries()) {
      const reader = await readFrames(sample, { person: "ada", run, after: id });
      await reader.until(isDone);
      expect(eventsOf(reader.frames).map((event) => event.id)).toEqual(ids.slice(index + 1));
    }
  });
});

test("without a bus everything arrives from the log, only not piece by piece", async () => {
  await withServer({ hasLive: false }, async (sample) => {
    const run = await sample.start("ada", "chat", { text: "hello" });
    const reader = await readFrames(sample, { person: "ada", run });
    await reader.until(({ event, data }) => event === "state" && data.status === "waiting");
    await sample.ask("ada", `/v1/runs/${run}/messages`, { text: "and again", key: "one" });
    await reader.until(({ event, data }) => event === "event" && data.content.text === "and again");
    await reader.until(
      () => eventsOf(reader.frames).filter(({ type }) => type === "assistant-message").length === 2,
    );
    expect(reader.frames.filter(isDelta)).toEqual([]);
    reader.leave();
  });
});

test("two tenants with a run of the same id do not hear each other", async () => {
  await withServer({}, async (sample) => {
    const { loop, ...given } = sample.agents.chat;
    const start = async ({ host }: SampleServer["hosts"]["alpha"]) => {
      const run = await host.start(loop, { text: "hello" } as never, { ...given, key: "same" });
      await host.drive(run);
      return run;
    };
    const { alpha, beta } = sample.hosts;
    const [run, same] = [await start(alpha), await start(beta)];
    expect(same).toBe(run);
    const readers = [
      await readFrames(sample, { person: "ada", run }),
      await readFrames(sample, { person: "mallory", run }),
    ] as const;
    const message = { run, turn: 1, kind: "text", part: 0, epoch: 1, offset: 0 } as const;
    alpha.bus.publish({ ...message, key: "a", text: "of alpha" });
    beta.bus.publish({ ...message, key: "b", text: "of beta" });
    const texts: string[][] = [];
    for (const reader of readers) {
      await reader.until(({ event, data }) => event === "delta" && data.text.startsWith("of "));
      texts.push(reader.frames.filter(isDelta).map(({ data }) => data.text));
      reader.leave();
    }
    expect(texts).toEqual([["of alpha"], ["of beta"]]);
  });
});

test("an abort is an event, and the answer that was being written is not stored", async () => {
  const gate = openGate();
  await withServer({ model: gate.model }, async (sample) => {
    const run = await sample.start("ada", "chat", { text: "hello" });
    const reader = await readFrames(sample, { person: "ada", run });
    const { data } = await reader.until(isDelta);
    const { generationId } = data;
    const other = generationId.replace(/\/1$/, "/2");
    const path = `/v1/runs/${run}/abort`;
    const wrong = await sample.ask("ada", path, { generationId: other, key: "stop" });
    expect([wrong.status, wrong.json.error.code]).toEqual([409, "GENERATION_ENDED"]);
    const told = await sample.ask("ada", path, { generationId, key: "stop" });
    expect(told.status).toBe(202);
    await reader.until((frame) => frame.event === "event" && frame.data.type === "user-abort");
    gate.open();
    await reader.until(({ event, data: state }) => event === "state" && state.status === "waiting");
    expect(eventsOf(reader.frames).map(({ type }) => type)).toEqual(["user-message", "user-abort"]);
    const late = await sample.ask("ada", path, { generationId, key: "again" });
    expect([late.status, late.json.error.code]).toEqual([409, "GENERATION_ENDED"]);
    // Only the answer was stopped: the conversation goes on.
    await sample.ask("ada", `/v1/runs/${run}/messages`, { text: "and now?", key: "next" });
    await reader.until(
      (frame) => frame.event === "event" && frame.data.type === "assistant-message",
    );
  });
});

test("a reader that leaves changes nothing, and its watch is given back", async () => {
  const gate = openGate();
  await withServer({ model: gate.model }, async (sample) => {
    const run = await sample.start("ada", "desk", { text: "hello" });
    const reader = await readFrames(sample, { person: "ada", run });
    await reader.until(isDelta);
    reader.leave();
    while (sample.server.streamCount() > 0) await new Promise((resume) => setTimeout(resume, 1));
    gate.open();
    const other = await readFrames(sample, { person: "ada", run });
    await other.until(isDone);
    expect(eventsOf(other.frames).at(-1).content.text).toBe(WORDS.join(""));
  });
});

test("an idle stream says that it is there, and ends when its time is over", async () => {
  await withServer({ limits: { keepAliveMs: 10, streamMs: 200 } }, async (sample) => {
    const run = await sample.start("ada", "chat", { text: "hello" });
    const reader = await readFrames(sample, { person: "ada", run });
    expect(await reader.ended).toBe("ended");
    expect(reader.comments.length).toBeGreaterThan(1);
    expect(reader.frames.some(isDone)).toBe(false);
  });
});

test("whoever joins, whenever and from wherever, has the whole session in the end", async () => {
  await withServer({}, async (sample) => {
    const run = await sample.start("ada", "chat", { text: "hello" });
    const readers: Awaited<ReturnType<typeof readFrames>>[] = [];
    const first = await readFrames(sample, { person: "ada", run });
    const before: string[][] = [];
    for (let index = 0; index < 30; index++) {
      const known = eventsOf(first.frames).map(({ id }) => String(id));
      const seen = known.slice(0, index % (known.length + 1));
      const after = seen.at(-1);
      const joining = readFrames(sample, { person: "bob", run, ...(after ? { after } : {}) });
      if (index % 3 === 0)
        await sample.ask("ada", `/v1/runs/${run}/messages`, { text: `m${index}`, key: `${index}` });
      before.push(seen);
      readers.push(await joining);
    }
    await sample.ask("ada", `/v1/runs/${run}/signals`, { name: "last", payload: 1, key: "last" });
    const isLast = ({ event, data }: Frame) => event === "event" && data.type === "trigger";
    await first.until(isLast);
    const whole = eventsOf(first.frames).map(({ id }) => String(id));
    const until = whole.indexOf(String(first.frames.find(isLast)?.id));
    for (const [index, reader] of readers.entries()) {
      await reader.until(isLast);
      const ids = [...(before[index] ?? []), ...eventsOf(reader.frames).map(({ id }) => id)];
      expect(ids.slice(0, until + 1)).toEqual(whole.slice(0, until + 1));
      reader.leave();
    }
    first.leave();
  });
});
