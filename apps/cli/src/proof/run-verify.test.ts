// `verify` on runs with unsealed parts, and its exit code.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashEvent, type RawEvent } from "@turnseal/protocol";
import { writeOrigin } from "@turnseal/runtime/folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sayCommand } from "../say-command.test.data.ts";

const loops = fileURLToPath(new URL("../__fixtures__/payments.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-verify-"));
afterAll(() => rmSync(root, { recursive: true }));
const store = join(root, "store");

async function run(...args: readonly string[]) {
  return sayCommand([...args, "--store", store]);
}

interface Exported {
  readonly run: string;
  readonly events: readonly RawEvent[];
  readonly receipts: readonly string[];
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

function write(name: string, bundle: unknown): string {
  const file = join(root, name);
  writeFileSync(file, JSON.stringify(bundle));
  return file;
}

let genuine: Exported;
let files: Readonly<Record<"forged" | "tail" | "genuine", string>>;

beforeAll(async () => {
  const ledger = join(root, "ledger.txt");
  const input = JSON.stringify({ payment: { ledger, actMs: 0 } });
  const given = ["--input", input, "--allow", "local.pay-once"];
  await run("run", "refund", "--from", loops, ...given);
  genuine = JSON.parse((await run("export", "last", "--without-content", "--out", "-")).out);
  const { events } = genuine;
  const closed = events.findIndex(({ type }) => type === "turn.closed");
  // The turn once more, as if it had been done again: a claim, and all that allowed it.
  const again = events
    .slice(1, closed)
    .filter(({ turn }) => turn === 1)
    .map((event) => ({ ...event, turn: 2 }));
  const decided = events[1] as RawEvent;
  const open = again.map((event) =>
    event.type === "turn.started"
      ? { ...event, content: { ...event.content, ...stateOf(events[closed]) } }
      : event,
  );
  files = {
    genuine: write("genuine.json", genuine),
    forged: write("forged.json", {
      ...genuine,
      events: chain(events.slice(0, closed)),
      receipts: [],
    }),
    tail: write("tail.json", {
      ...genuine,
      events: chain([
        ...events.slice(0, closed + 1),
        later(decided),
        ...open.slice(0, 1).map(later),
      ]),
    }),
  };
});

/** The event at a time at which the run was over. */
function later<Event extends { readonly at: string }>(event: Event): Event {
  return { ...event, at: "2100-01-01T00:00:00.000Z" };
}

function stateOf(closed: RawEvent | undefined) {
  const { spending = null } = closed?.content ?? {};
  return { spending };
}

describe("a file", () => {
  test("of a run that has ended is valid, and says what is not sealed", async () => {
    const { code, out } = await run("verify", files.genuine);
    expect(code).toBe(0);
    expect(out).toMatch(/^✓ valid {2}run \S+, \d+ events, 1 receipt, sealed until event \d+\n/);
    expect(out).toMatch(/\n {2}not sealed: events \d+ to \d+, written after the last receipt\n/);
    expect(out).toMatch(/local\.pay-once \(event \d+\)/);
  });

  test.each([[], ["--production"], ["--allow-open"]])(
    "that nobody signed is invalid, whatever is said: %s",
    async (...options) => {
      const { code, out } = await run("verify", files.forged, ...options);
      expect(code).toBe(3);
      expect(out).toMatch(/^✗ invalid {2}run /);
      expect(out).toContain("RUN_UNSEALED  event");
      expect(out).toContain("no turn has ended and been sealed yet, so nothing is proven");
      // Unsealed allowances are not listed.
      expect(out).not.toContain("local.pay-once");
    },
  );

  test("with a tail behind a genuine receipt is open, and ends with 3", async () => {
    const { code, out } = await run("verify", files.tail);
    expect(code).toBe(3);
    expect(out).toMatch(/^✗ open {2}run .*, sealed until event \d+\n/);
    expect(out).toContain("which anyone could have written");
    expect(out).toContain("TAIL_UNSEALED  event");
    expect(out).toContain("next: turnseal verify ... --allow-open");
    // Of two claims, one is sealed.
    expect(out.match(/local\.pay-once/g)).toHaveLength(2);
  });

  test("with a tail ends with 0 where that is expected, and is not called valid", async () => {
    const { code, out } = await run("verify", files.tail, "--allow-open");
    expect(code).toBe(0);
    expect(out).toMatch(/^○ valid so far {2}run /);
    const { verdict, valid, allowed } = JSON.parse(
      (await run("verify", files.tail, "--allow-open", "--json")).out,
    );
    expect({ verdict, valid, claims: allowed.length }).toEqual({
      ...{ verdict: "open", valid: false, claims: 1 },
    });
  });

  test("of one receipt says which key signed it, and that its lineage is unverified", async () => {
    const file = join(root, "receipt.json");
    writeFileSync(file, genuine.receipts[0] ?? "");
    const { code, out } = await run("verify", file, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      subject: "receipt",
      verdict: "valid",
      id: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      about: `turnseal:run/${genuine.run}/turn/1`,
      signature: { algorithm: "Ed25519", issuer: "development" },
      lineage: "unverified",
    });
    expect((await run("verify", file)).out).toContain("lineage unverified");
  });
});

describe("a store", () => {
  test.each([
    ["an object", { name: "a package" }],
    ["an empty object", {}],
    ["a number", 5],
  ])("of %s says what verify takes, and ends with 3", async (_, value) => {
    const { code, out } = await run("verify", write("other.json", value));
    expect(code).toBe(3);
    expect(out.replaceAll(/\s+/g, " ")).toContain("this is no receipt and no export of a run");
    expect(out).toContain("turnseal export <run>");
  });

  test("of a broken receipt says what is wrong with it", async () => {
    const { code, out } = await run("verify", write("broken.json", { payload: 1, signatures: [] }));
    expect(code).toBe(3);
    expect(out).toContain("the receipt is not a DSSE envelope");
  });

  test("with a run that has no event is valid, and names it", async () => {
    const idle = "0b8c1f5e-9d2c-4d1a-8f6e-3a1b2c4d5e6f";
    await writeOrigin(store, { run: idle, loop: "refund", version: "1.0.0", from: [] });
    const { code, out } = await run("verify");
    expect(code).toBe(0);
    expect(out).toMatch(/^✓ valid {2}1 run, 1 receipt\n/);
    expect(out).toContain(`not started: ${idle}`);
    expect(JSON.parse((await run("verify", "--json")).out)).toMatchObject({ notStarted: [idle] });
    const one = await run("verify", idle);
    expect(one.out).toBe(`○ empty  run ${idle}: it has no event yet\n`);
    expect(one.code).toBe(0);
    const asJson = JSON.parse((await run("verify", idle, "--json")).out);
    expect(asJson).toMatchObject({ verdict: "empty", events: 0 });
  });

  test("whose first turn waits is valid so far; production wants it sealed", async () => {
    const rules = join(root, "rules.toml");
    const rule = [
      'id = "ask"',
      'decision = "ask"',
      'role = "finance"',
      'tools = ["local.pay-once"]',
    ];
    writeFileSync(rules, ['name = "desk"', "", "[[rules]]", ...rule, ""].join("\n"));
    const ledger = join(root, "other.txt");
    const input = JSON.stringify({ payment: { ledger, actMs: 0 } });
    const given = ["--input", input, "--allow", "local.pay-once", "--policy", rules];
    const started = await run("run", "refund", "--from", loops, ...given);
    expect(started.code, started.err).toBe(2);
    const all = await run("verify");
    expect(all.code).toBe(0);
    expect(all.out).toMatch(/^○ valid so far {2}2 runs, 1 receipt\n/);
    expect(all.out).toContain("nothing sealed yet, the first turn is open: ");
    expect((await run("verify", "last")).code).toBe(3);
  });

  test("is verified from a run on, and only by its whole id", async () => {
    const all = JSON.parse((await run("verify", "--json")).out);
    expect(all).toMatchObject({ subject: "tree", verdict: "open", checked: 2, found: 0 });
    const [first, second] = all.runs.map((each: { readonly run: string }) => each.run).sort();
    const rest = JSON.parse((await run("verify", "--after", first, "--json")).out);
    expect(rest.runs.map((each: { readonly run: string }) => each.run)).toEqual([second]);
    const none = await run("verify", "--after", second);
    expect(none).toMatchObject({ code: 0, out: expect.stringMatching(/^✓ valid {2}0 runs, 0 /) });
    const refused = expect.stringContaining("--after takes the whole id of a run");
    for (const wrong of [
      ["--after", first.slice(0, 8)],
      [first, "--after", first],
    ])
      expect(await run("verify", ...wrong)).toMatchObject({ code: 64, err: refused });
  });

  test("that is interrupted says how many were checked, and where to go on", async () => {
    const interrupt = (event: string | symbol, listener: () => void): void => {
      if (event === "SIGINT") queueMicrotask(listener);
    };
    process.on("newListener", interrupt);
    const { code, out } = await run("verify");
    process.off("newListener", interrupt);
    expect(code).toBe(130);
    expect(out).toMatch(/^○ not finished {2}/);
    expect(out).toMatch(/interrupted, 0 runs checked; next: turnseal verify.*\n$/);
  });
});
