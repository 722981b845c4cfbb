// Tools that change files of a root, through a real host.
import { ARTIFACT_BYTES_MAX, ARTIFACT_CHANGES_MAX } from "@turnseal/kernel";
import { isClaimOf, isSettledOf, type JsonValue } from "@turnseal/protocol";
import { defineTool, jsonSchema, notDone, type ToolArtifacts } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { readRun } from "../../state/read-run.ts";
import { openKeyedRoot } from "../__fixtures__/keyed-root.ts";
import { openToolDesk, type ToolDeskOptions } from "../__fixtures__/tool-desk.ts";

const sound = { findings: [], replayed: ["identical"] };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

type Use = (artifacts: ToolArtifacts, input: JsonValue) => Promise<unknown>;

function writer(use: Use, more: Partial<Parameters<typeof defineTool>[0]> = {}) {
  return defineTool({
    ...{ id: "write", version: "1.0.0", effect: "idempotent", artifacts: { root: "site" } },
    input: jsonSchema<JsonValue>(true),
    output: jsonSchema<JsonValue>(true),
    run: async (input: JsonValue, { artifacts }) => (await use(artifacts, input)) as JsonValue,
    ...(more as object),
  });
}

const ask = (...inputs: JsonValue[]) => inputs.map((input) => ["local.write", input] as const);

/** Writes a text under each name of its input. */
const writeAll: Use = async (artifacts, input) => {
  const answers: unknown[] = [];
  for (const [path, text] of Object.entries(input as Record<string, string>))
    answers.push(await artifacts.write(path, bytesOf(text)));
  return answers;
};

async function openDesk(
  use: Use,
  rounds: ToolDeskOptions["rounds"],
  more: Partial<ToolDeskOptions> & { readonly tool?: Parameters<typeof writer>[1] } = {},
) {
  const site = openKeyedRoot("site");
  const { tool, ...options } = more;
  const tools = [writer(use, tool)];
  const desk = await openToolDesk({ tools, rounds, roots: site.roots, ...options });
  const settled = async () =>
    (await desk.events()).flatMap((event) =>
      isSettledOf("tool", event) ? [event.content.artifacts] : [],
    );
  const managed = async () => (await readRun(desk.stores, desk.run))?.artifacts ?? {};
  return { ...desk, site, settled, managed };
}

describe("what a tool writes", () => {
  test("is there, is recorded with its result, and its content is kept", async () => {
    const rounds = [ask({ "a.txt": "one", "d/b.txt": "two" }), ask({ "a.txt": "three" })];
    const desk = await openDesk(writeAll, rounds);
    expect(await desk.drive()).toBe("goal-reached");
    expect(await desk.site.texts()).toEqual({ "a.txt": "three", "d/b.txt": "two" });
    const [first, second] = await desk.settled();
    expect(first).toMatchObject({ root: "site", files: 2, changed: 2 });
    expect(first?.before).toBeUndefined();
    expect(second).toMatchObject({ files: 2, changed: 1, before: first?.after });
    expect(await desk.read(second?.changes)).toMatchObject({
      changes: [{ path: "a.txt", before: { bytes: 3 }, after: { bytes: 5 } }],
    });
    const page = (await desk.read(second?.after)) as { files: { path: string; digest: string }[] };
    expect(page.files.map(({ path }) => path)).toEqual(["a.txt", "d/b.txt"]);
    const kept = await desk.stores.blobs.read(desk.run, page.files[0]?.digest ?? "");
    expect(new TextDecoder().decode(kept)).toBe("three");
    expect(await desk.managed()).toEqual({ site: { page: second?.after, files: 2 } });
    const claim = (await desk.events()).find((event) => isClaimOf("tool", event));
    expect(claim?.content).toMatchObject({ root: "site" });
    expect(await desk.prove()).toEqual(sound);
  });

  test("is not named in any event: a path is content", async () => {
    const desk = await openDesk(writeAll, [ask({ "very-private-name.txt": "words" })]);
    await desk.drive();
    expect(JSON.stringify(await desk.events())).not.toContain("very-private-name");
  });

  test("is one chain, also of calls beside each other", async () => {
    const inputs = ["a", "b", "c", "d"].map((path) => ({ [path]: path }));
    const desk = await openDesk(writeAll, [ask(...inputs), ask({ a: "A" }, { e: "e" })]);
    expect(await desk.drive()).toBe("goal-reached");
    expect(Object.keys(await desk.site.texts())).toHaveLength(5);
    expect(await desk.managed()).toMatchObject({ site: { files: 5 } });
    expect(await desk.prove()).toEqual(sound);
  });

  test("is found done where an attempt that broke off has left it", async () => {
    const desk = await openDesk(writeAll, [ask({ "a.txt": "one" })]);
    desk.site.put("a.txt", "one");
    await desk.drive();
    expect(desk.told).toEqual([[{ kind: "done" }]]);
    expect(await desk.managed()).toMatchObject({ site: { files: 1 } });
    expect(await desk.prove()).toEqual(sound);
  });

  test("is recorded also where the tool then says that it did nothing", async () => {
    const use: Use = async (artifacts, input) => {
      await writeAll(artifacts, input);
      throw notDone("out of paper");
    };
    const desk = await openDesk(use, [ask({ a: "one" })]);
    await desk.drive();
    const end = (await desk.events()).find((event) => isSettledOf("tool", event));
    expect(end?.content).toMatchObject({ status: "failed", artifacts: { files: 1, changed: 1 } });
    expect(await desk.managed()).toMatchObject({ site: { files: 1 } });
    expect(await desk.prove()).toEqual(sound);
  });

  test("that is as it was is no change", async () => {
    const desk = await openDesk(writeAll, [ask({ a: "one" }), ask({ a: "one" })]);
    await desk.drive();
    const [first, second] = await desk.settled();
    expect([first?.changed, second]).toEqual([1, undefined]);
  });
});

describe("what a tool removes", () => {
  const use: Use = async (artifacts, input) =>
    (input as { remove?: string }).remove === undefined
      ? writeAll(artifacts, input)
      : artifacts.remove((input as { remove: string }).remove);

  test("is gone, and is no longer managed", async () => {
    const desk = await openDesk(use, [ask({ a: "one" }), ask({ remove: "a" })]);
    await desk.drive();
    expect(await desk.site.texts()).toEqual({});
    const [, second] = await desk.settled();
    expect(second).toMatchObject({ files: 0, changed: 1 });
    expect(second?.after).toBeUndefined();
    expect(await desk.managed()).toEqual({});
    expect(await desk.prove()).toEqual(sound);
  });

  test("must be its to remove", async () => {
    const desk = await openDesk(use, [ask({ remove: "theirs" })]);
    desk.site.put("theirs", "by somebody else");
    await desk.drive();
    expect(desk.told).toEqual([{ kind: "refused", reason: "unmanaged" }]);
    expect(await desk.site.texts()).toEqual({ theirs: "by somebody else" });
  });
});

describe("nothing is changed", () => {
  test("where somebody else changed what was recorded, or was there first", async () => {
    const desk = await openDesk(
      async (artifacts, input) => {
        const answer = await writeAll(artifacts, input);
        desk.site.put("a", "by somebody else");
        return answer;
      },
      [ask({ a: "one" }), ask({ a: "two" }), ask({ theirs: "mine" })],
    );
    desk.site.put("theirs", "by somebody else");
    await desk.drive();
    expect(desk.told).toEqual([[{ kind: "done" }], [{ kind: "changed" }], [{ kind: "changed" }]]);
    expect(await desk.site.texts()).toEqual({
      a: "by somebody else",
      theirs: "by somebody else",
    });
    expect(await desk.managed()).toMatchObject({ site: { files: 1 } });
  });

  test.each([
    ["../out", "path"],
    ["/etc/passwd", "path"],
    ["a//b", "path"],
    ["way/a", "link"],
  ])("at %s", async (path, reason) => {
    const desk = await openDesk(writeAll, [ask({ [path]: "x" })]);
    await desk.site.root.scan({ folders: [""] });
    desk.site.link("way");
    await desk.drive();
    expect(desk.told).toEqual([[{ kind: "refused", reason }]]);
    expect((await desk.settled())[0]).toBeUndefined();
  });

  test("by a tool that only reads, or that declares no root", async () => {
    const reading = await openDesk(writeAll, [ask({ a: "x" })], { tool: { effect: "read" } });
    await reading.drive();
    expect(reading.told).toEqual([[{ kind: "refused", reason: "read-only" }]]);
    const without = await openDesk(writeAll, [ask({ a: "x" })], {
      tool: { artifacts: undefined } as never,
    });
    await without.drive();
    expect(without.told).toEqual([[{ kind: "refused", reason: "undeclared" }]]);
    expect(await without.site.texts()).toEqual({});
  });

  test("with a secret of the tool in it", async () => {
    const desk = await openDesk(writeAll, [ask({ a: "x" })], {
      tool: {
        secrets: ["KEY"],
        run: async (_: unknown, { artifacts, secrets }: never) =>
          (artifacts as ToolArtifacts).write(
            "a",
            bytesOf(`key: ${(secrets as { KEY: string }).KEY}`),
          ),
      } as never,
      secrets: { KEY: "sk-live-0123456789" },
    });
    await desk.drive();
    expect(desk.told).toEqual([{ kind: "refused", reason: "secret" }]);
    expect(await desk.site.texts()).toEqual({});
  });

  test("beyond ARTIFACT_CHANGES_MAX files and ARTIFACT_BYTES_MAX bytes of one call", async () => {
    const use: Use = async (artifacts, input) => {
      if (input === "bytes") {
        const whole = new Uint8Array(ARTIFACT_BYTES_MAX + 1);
        return artifacts.write("large", whole);
      }
      let answer: unknown;
      for (let file = 0; file <= ARTIFACT_CHANGES_MAX; file++)
        answer = await artifacts.write(`f${file}`, bytesOf("x"));
      return answer;
    };
    const desk = await openDesk(use, [ask("files"), ask("bytes")]);
    await desk.drive();
    expect(desk.told).toEqual([
      { kind: "refused", reason: "too-many" },
      { kind: "refused", reason: "too-large" },
    ]);
    expect(await desk.managed()).toMatchObject({ site: { files: ARTIFACT_CHANGES_MAX } });
  });
});

test("a worker that has not bound the root leaves the run to others, untouched", async () => {
  const desk = await openDesk(writeAll, [ask({ a: "x" })], { roots: {} });
  expect(await desk.drive()).toBe("root-missing");
  const events = await desk.events();
  expect(events.map(({ type }) => type)).toEqual(["run.started", "run.blocked"]);
  expect(events[1]?.content).toEqual({ cause: "root-missing", what: "site" });
});

test("what a tool does with its face after it has answered is refused", async () => {
  let face: ToolArtifacts | undefined;
  const desk = await openDesk(
    async (artifacts) => {
      face ??= artifacts;
      return null;
    },
    [ask("once")],
  );
  await desk.drive();
  expect(await face?.write("a", bytesOf("late"))).toEqual({ kind: "refused", reason: "ended" });
  expect(await desk.site.texts()).toEqual({});
});
