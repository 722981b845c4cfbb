/** An agent is edited while people talk with it: a conversation goes on with what it began with. */
import type { CheckedLoop } from "@turnseal/kernel";
import { type Model, memoryStores, type Stores, scriptedModel, systemClock } from "@turnseal/ports";
import { canonicalize, digestOf } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost, type LocalHost } from "../../local/local-host.ts";
import { KEPT_LOOPS_BYTES_MAX, listLoopsToKeep } from "../../state/pinned-loops.ts";
import { findFaults, signer } from "../__fixtures__/refund-desk.ts";

const grant = { grantor: "ada", tools: ["local.note"], budget: {} };
const bounds = { awaits: ["message"], nextInput: { text: "$.signals.message.text" } };
interface Said {
  readonly text: string;
}

interface Edition {
  readonly system: string;
  readonly version?: string;
  readonly toolVersion?: string;
  readonly description?: string;
  readonly hasTool?: boolean;
  readonly refuses?: string;
}

/** A process with an edition of the agent. It asks for the tool if the message wants a note. */
function openEdition(edition: Edition, stores: Stores = memoryStores(systemClock)) {
  const { system, version = "1.0.0", toolVersion = "1.0.0", hasTool = true, refuses } = edition;
  const noted: string[] = [];
  const note = defineTool({
    ...{ id: "note", version: toolVersion, effect: "idempotent", build: system },
    description: edition.description ?? "Notes a text",
    input: jsonSchema<Said>({ type: "object" }),
    output: jsonSchema<object>(true),
    run: ({ text }) => {
      noted.push(`${system}: ${text}`);
      return {};
    },
  });
  const refused = (value: unknown) =>
    (value as Said).text === refuses ? [{ path: ["text"], words: "refused" }] : [];
  const agent = definePrompt({
    ...{ id: "agent", version, system, backend: { id: "echo" } },
    ...(hasTool ? { tools: [note] } : {}),
    input: jsonSchema<Said>({ type: "object", properties: { text: { type: "string" } } }),
    output: jsonSchema<Said>({ type: "object" }),
    template: "{{text}}",
  });
  const loop = refuses === undefined ? agent : { ...agent, refinements: { input: refused } };
  const asked: { readonly system: string; readonly texts: readonly string[] }[] = [];
  const echo: Model = {
    defaultModel: "echo-1",
    generate: (request) => {
      const texts = request.messages.flatMap((each) => (each.role === "user" ? [each.text] : []));
      const system = request.messages.find(({ role }) => role === "system") as Said | undefined;
      asked.push({ system: system?.text ?? "", texts });
      const last = request.messages.at(-1);
      const isNote = last?.role === "user" && last.text.startsWith("note");
      const call = { toolCalls: [{ tool: "local__note", input: { text: texts.at(-1) } }] };
      return scriptedModel([isNote ? (call as never) : `heard ${texts.length}`]).generate(request);
    },
  };
  const loops = [...(hasTool ? [note] : []), loop];
  const host = createLocalHost({ loops, stores, signer, models: { echo } });
  return { host, loop, stores, asked, noted };
}

let keys = 0;
async function say(host: LocalHost, run: string, text: string): Promise<string> {
  keys += 1;
  await host.signal(run, { name: "message", payload: { text }, by: "ada", key: `m${keys}` });
  return drive(host, run);
}

async function drive(host: LocalHost, run: string): Promise<string> {
  const { dues } = await host.drive(run);
  return dues.kind === "blocked" ? `${dues.why} ${"what" in dues ? dues.what : ""}` : dues.kind;
}

async function begin(edition: Edition = { system: "one" }) {
  const first = openEdition(edition);
  const run = await first.host.start(first.loop, { text: "hello" }, { grant, bounds });
  expect(await drive(first.host, run)).toBe("wait");
  return { ...first, run };
}

async function expectSound(host: LocalHost, run: string, stores: Stores): Promise<void> {
  expect(await findFaults(run, stores)).toEqual([]);
  for await (const { replayed } of host.replay(run)) expect(replayed.kind).toBe("identical");
}

test("an open conversation keeps the words that it began with, a new one has the new", async () => {
  const { run, stores } = await begin();
  const second = openEdition({ system: "two", description: "Notes it all" }, stores);
  expect(await say(second.host, run, "and now?")).toBe("wait");
  expect(second.asked).toEqual([{ system: "one", texts: ["hello", "and now?"] }]);
  expect(await second.host.show(run)).toMatchObject({ turns: 2, blocked: null, stopped: null });
  expect(await second.host.checkResume(run)).toMatchObject({ isSafe: true, loops: [] });
  const fresh = await second.host.start(second.loop, { text: "hi" }, { grant, bounds });
  expect(await drive(second.host, fresh)).toBe("wait");
  expect(second.asked.at(-1)).toEqual({ system: "two", texts: ["hi"] });
  await expectSound(second.host, run, stores);
});

test("a conversation that nobody drove before the edit begins with its own words", async () => {
  const first = openEdition({ system: "one" });
  const run = await first.host.start(first.loop, { text: "hi" }, { grant, bounds });
  const second = openEdition({ system: "two" }, first.stores);
  expect(await drive(second.host, run)).toBe("wait");
  expect(second.asked).toEqual([{ system: "one", texts: ["hi"] }]);
});

test("the functions of tools are those of the process, by name and version", async () => {
  const { run, stores } = await begin();
  const second = openEdition({ system: "two" }, stores);
  expect(await say(second.host, run, "note this")).toBe("wait");
  expect(second.noted).toEqual(["two: note this"]);
  await expectSound(second.host, run, stores);
});

test("an edition under another version keeps open conversations as well", async () => {
  const { run, stores } = await begin();
  const second = openEdition({ system: "two", version: "2.0.0" }, stores);
  expect(await say(second.host, run, "and now?")).toBe("wait");
  expect(second.asked.map(({ system }) => system)).toEqual(["one"]);
});

test("a worker that does not know the agent leaves it alone", async () => {
  const { run, stores, host } = await begin();
  const other = definePrompt({
    ...{ id: "other", version: "1.0.0", template: "hi" as const },
    input: jsonSchema<object>(true),
    output: jsonSchema<object>(true),
  });
  const stranger = createLocalHost({ loops: [other], stores, signer });
  expect(await say(stranger, run, "and now?")).toBe("loop-missing agent 1.0.0");
  expect(await drive(host, run)).toBe("wait");
});

test("one after the other, and back again", async () => {
  const { run, stores } = await begin();
  for (const system of ["two", "three", "one", "four"]) {
    const next = openEdition({ system }, stores);
    expect(await say(next.host, run, system)).toBe("wait");
    expect(next.asked.map((each) => each.system)).toEqual(["one"]);
  }
});

test("the refinements of a schema are those of the process, and a lost one blocks", async () => {
  const { run, stores } = await begin({ system: "one", refuses: "no" });
  const second = openEdition({ system: "two", refuses: "never" }, stores);
  await expect(say(second.host, run, "never")).rejects.toMatchObject({ code: "SIGNAL_REFUSED" });
  expect(await say(second.host, run, "no")).toBe("wait");
  const third = openEdition({ system: "three" }, stores);
  expect(await say(third.host, run, "hi")).toBe("loop-changed agent 1.0.0");
});

test.each([
  ["is gone", { hasTool: false }],
  ["has another version", { toolVersion: "2.0.0" }],
])("a conversation whose function %s is blocked, and says by what", async (_, edition) => {
  const { run, stores } = await begin();
  const second = openEdition({ system: "two", ...edition }, stores);
  expect(await say(second.host, run, "and now?")).toBe("tool-missing local.note 1.0.0");
  // A worker that has it continues.
  expect(await drive(openEdition({ system: "one" }, stores).host, run)).toBe("wait");
});

test("documents of KEPT_LOOPS_BYTES_MAX bytes are kept, and with a byte more none are", () => {
  const loop = openEdition({ system: "one" }).loop.definition;
  const keep = (bytes: number) => {
    const frame = canonicalize({ ...loop, name: "" }).length;
    const definition = { ...loop, name: "n".repeat(bytes - frame) };
    const pinned = { agent: { id: "agent", version: "1.0.0", digest: digestOf(loop) } };
    const registry = { resolve: () => ({ definition }) as unknown as CheckedLoop };
    return listLoopsToKeep(
      { pinned, bounds: { ...bounds, failuresMax: 1, resumesMax: 1 } },
      registry,
    );
  };
  expect(keep(KEPT_LOOPS_BYTES_MAX)).toHaveLength(1);
  expect(keep(KEPT_LOOPS_BYTES_MAX + 1)).toBeUndefined();
});

test("a run that is no conversation keeps nothing", async () => {
  const { host, loop, stores } = openEdition({ system: "one" });
  const run = await host.start(loop, { text: "hello" }, { grant });
  await host.drive(run);
  const [started] = await stores.log.read(run, 1, 1);
  expect(started?.content).not.toHaveProperty("definitions");
});
