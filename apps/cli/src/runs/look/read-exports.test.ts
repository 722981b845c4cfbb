// `show`, `explain` and `transcript` on a file: it is named an export, and counts as far as its
// seals do.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashEvent, type RawEvent } from "@turnseal/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sayCommand } from "../../say-command.test.data.ts";

const loops = fileURLToPath(new URL("../../__fixtures__/payments.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-exports-"));
const file = (name: string): string => join(root, name);
afterAll(() => rmSync(root, { recursive: true }));

async function run(store: string, ...args: readonly string[]) {
  return sayCommand([...args, "--store", file(store)]);
}

interface Exported {
  readonly events: readonly RawEvent[];
  readonly content: { readonly blobs: Readonly<Record<string, string>> };
}

const LATER = "2100-01-01T00:00:00.000Z";

function write(name: string, change: (bundle: Exported) => object): void {
  const bundle = JSON.parse(readFileSync(file("run.json"), "utf8")) as Exported;
  writeFileSync(file(name), JSON.stringify({ ...bundle, ...change(bundle) }));
}

/** The events chained again, as anybody can. */
function chain(events: readonly RawEvent[]): RawEvent[] {
  let previous = "";
  return events.map((event, index) => {
    const { hash: _, ...draft } = { ...event, sequence: index + 1, previous };
    previous = hashEvent(draft);
    return { ...draft, hash: previous };
  });
}

beforeAll(async () => {
  const input = JSON.stringify({ payment: { ledger: file("ledger.txt"), actMs: 0 } });
  const given = ["--from", loops, "--input", input, "--allow", "local.pay-once"];
  await run("store", "run", "refund", ...given);
  await run("store", "export", "last", "--out", file("run.json"));
  writeFileSync(file("keys.json"), (await run("store", "keys", "export")).out);
  write("forged.json", ({ events }) => ({ events: chain(events.toSpliced(3, 1)) }));
  write("open.json", ({ events }) => {
    const closed = events.find(({ type }) => type === "turn.closed");
    const again = events.find(({ type }) => type === "turn.started");
    const { spending = null } = closed?.content ?? {};
    const started = again && { ...again, turn: 2, content: { ...again.content, spending } };
    const [, decided] = events;
    const tail = [decided, started].flatMap((event) => (event ? [{ ...event, at: LATER }] : []));
    return { events: chain([...events.slice(0, closed?.sequence), ...tail]) };
  });
  // Anyone can write this behind the last seal: the chain needs no key.
  write("ended.json", ({ events }) => {
    const closed = events.findIndex(({ type }) => type === "turn.closed");
    const stopped = events.find(({ type }) => type === "run.stopped");
    const said = { ...stopped, actor: { kind: "person", id: "mallory" }, type: "signal.received" };
    const told = { kind: "signal", name: "message", key: "1", receivedAt: stopped?.at };
    const { input: payload = null } = events[0]?.content ?? {};
    const decided = { decision: "stop", reason: "approval-rejected", receipt: null };
    return {
      events: chain([
        ...events.slice(0, closed + 1),
        { ...said, content: { ...told, payload } } as unknown as RawEvent,
        { ...stopped, type: "run.decided", content: decided } as RawEvent,
        { ...stopped, content: { reason: "approval-rejected" } } as RawEvent,
      ]),
    };
  });
  write("letter.json", ({ events }) => ({
    events: events.map((event) => ({ ...event, epoch: event.epoch + 1 })),
  }));
  write("content.json", ({ content }) => ({
    content: {
      ...content,
      blobs: Object.fromEntries(Object.keys(content.blobs).map((digest) => [digest, "e30="])),
    },
  }));
});

describe("an export that verifies", () => {
  test.each(["show", "explain", "transcript"])("is read by %s, and named", async (command) => {
    const { code, out, err } = await run("store", command, file("run.json"));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^export {4}\S+run\.json: ✓ verifies, sealed until event \d+/);
  });

  test("says the same as the store", async () => {
    const without = (text: string) =>
      text.split("\n").slice(1).join("\n").replaceAll(" (not sealed)", "");
    for (const command of ["show", "transcript"])
      expect(without((await run("store", command, file("run.json"))).out)).toBe(
        (await run("store", command, "last")).out,
      );
    const {
      export: verdict,
      reasonSealed: _,
      ...told
    } = JSON.parse((await run("store", "explain", file("run.json"), "--json")).out);
    expect(told).toEqual(JSON.parse((await run("store", "explain", "last", "--json")).out));
    expect(verdict).toMatchObject({ verdict: "valid", findings: [] });
  });

  test("is read elsewhere with the keys that it is held to", async () => {
    const given = [file("run.json"), "--keys", file("keys.json")];
    const { code, out } = await run("nowhere", "explain", ...given);
    expect(code).toBe(0);
    expect(out).toContain("local.pay-once (event ");
  });

  test("gives programs its entries and nothing else", async () => {
    const { out, err } = await run("store", "transcript", file("run.json"), "--json");
    for (const row of out.trim().split("\n")) expect(JSON.parse(row)).toHaveProperty("type");
    expect(err).toContain("✓ verifies");
    const trace = await run("store", "show", file("run.json"), "--trace");
    expect(trace.out).toBe((await run("store", "show", "last", "--trace")).out);
  });
});

describe("an end that is written behind the last seal", () => {
  test("is not shown as a fact by show", async () => {
    const { code, out } = await run("store", "show", file("ended.json"));
    expect(code).toBe(0);
    expect(out).toMatch(
      /^export .*✓ verifies, sealed until event (\d+); events \d+ to \d+ are not/,
    );
    expect(out).toContain("stopped: approval-rejected (not sealed)\n");
    expect(out).toContain("signals   message (not sealed)\n");
  });

  test("nor by explain, which names nobody that no receipt names", async () => {
    const { out } = await run("store", "explain", file("ended.json"));
    expect(out).toContain("  approval-rejected: a person rejected it (not sealed)\n");
    expect(out).not.toContain("mallory");
  });

  test("nor by transcript, which says where it begins", async () => {
    const { out } = await run("store", "transcript", file("ended.json"));
    const mark = out.indexOf("── not sealed: anyone could have written what follows\n");
    expect(mark).toBeGreaterThan(0);
    expect(out.slice(mark)).toMatch(/^.*\nyou {7}\{"payment"/);
    expect(out.slice(0, mark).match(/^you /gm)).toHaveLength(1);
  });

  test("and programs are told that the reason is not sealed", async () => {
    for (const command of ["show", "explain"]) {
      const { out } = await run("store", command, file("ended.json"), "--json");
      expect(JSON.parse(out)).toMatchObject({ reason: "approval-rejected", reasonSealed: false });
    }
    const whole = JSON.parse((await run("store", "show", file("run.json"), "--json")).out);
    expect(whole.latestTurns).toMatchObject([{ decisionSealed: false }]);
    const store = JSON.parse((await run("store", "show", "last", "--json")).out);
    expect(store).not.toHaveProperty("reasonSealed");
  });

  test("what is sealed is not marked", async () => {
    write("sealed.json", ({ events }) => ({
      events: events.slice(0, events.findIndex(({ type }) => type === "turn.closed") + 1),
    }));
    const { code, out } = await run("store", "show", file("sealed.json"));
    expect(code).toBe(0);
    expect(out).not.toContain("not sealed");
    const told = JSON.parse((await run("store", "explain", file("sealed.json"), "--json")).out);
    expect(told).toMatchObject({ reasonSealed: true, allowed: [{ tool: expect.any(String) }] });
  });
});

describe("an export that proves nothing", () => {
  test("whose keys are not known ends with 3, and says of nothing who allowed it", async () => {
    const { code, out } = await run("nowhere", "explain", file("run.json"));
    expect(code).toBe(3);
    expect(out).toMatch(/^export .*: ✗ does not verify: nothing of it is proven\n/);
    expect(out).toContain("KEY_UNKNOWN");
    expect(out).toContain("--keys <the signer's keys>");
    expect(out).toContain("Who allowed it?\n  not proven: the export does not verify\n");
    expect(out).not.toContain("local.pay-once (event ");
  });

  test("that somebody wrote does not make the command fail otherwise", async () => {
    for (const command of ["show", "explain", "transcript"]) {
      const { code, out, err } = await run("store", command, file("forged.json"));
      expect(code).toBe(3);
      expect(`${out}${err}`).toContain("✗ does not verify");
    }
  });

  test.each(["letter.json", "content.json"])("is not read where it is broken: %s", async (name) => {
    const { code, out, err } = await run("store", "transcript", file(name));
    expect({ code, out }).toEqual({ code: 3, out: "" });
    expect(err).toContain("error: it cannot be read: ");
  });

  test("with an open turn ends with 3, unless that is expected", async () => {
    const { code, out } = await run("store", "show", file("open.json"));
    expect(code).toBe(3);
    expect(out).toContain("○ open, sealed until event ");
    expect(out).toContain("had not stopped");
    expect((await run("store", "show", file("open.json"), "--allow-open")).code).toBe(0);
    const told = await run("store", "explain", file("open.json"), "--allow-open");
    expect(told.out).toContain("not from an export");
  });
});

describe("what is no export", () => {
  test("is a wrong command line", async () => {
    writeFileSync(file("list.json"), "[]");
    const list = await run("store", "show", file("list.json"));
    expect(list).toMatchObject({ code: 64, out: "" });
    expect(list.err).toContain("is not the export of a run");
    const missing = await run("store", "show", file("missing.json"));
    expect(missing.err).toContain("the file does not exist");
  });

  test("an export is not followed, and no process executes it", async () => {
    const followed = await run("store", "transcript", file("run.json"), "--follow");
    expect(followed).toMatchObject({ code: 64, out: "" });
    expect((await run("store", "show", file("run.json"), "--pid")).code).toBe(1);
  });
});
