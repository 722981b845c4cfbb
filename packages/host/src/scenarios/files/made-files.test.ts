import { memoryStores, systemClock } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { defineTool, jsonSchema, type ToolContext } from "@turnseal/protocol/authoring";
import { FILES_MAX, type FileRef } from "@turnseal/protocol/files";
import { describe, expect, test } from "vitest";
import { createLocalHost, type LocalHost } from "../../local/local-host.ts";
import {
  type Answer,
  agent,
  callDraw,
  chatting,
  closedTurns,
  marked,
  openEye,
  openHost,
  picture,
  png,
  problemsOf,
  signer,
  text,
} from "./seeing-world.test.data.ts";

describe("a tool", () => {
  const openTool = (
    run: (input: unknown, context: ToolContext) => Promise<unknown>,
    secrets: readonly string[] = [],
  ) => {
    const tool = defineTool({
      ...{ id: "draw", version: "1.0.0", implementation: "local.draw", effect: "read", secrets },
      input: jsonSchema<never>(true),
      output: jsonSchema<JsonValue>(true),
      run: run as never,
    });
    const { model, requests } = openEye([callDraw(1), text("done")]);
    const stores = memoryStores(systemClock);
    const host = createLocalHost({
      ...{ loops: [agent, tool], models: { eye: model }, stores, signer },
      secrets: { read: async () => "a-secret-of-the-tool" },
    });
    return { host, requests, stores };
  };
  const go = async (host: LocalHost) => {
    const run = await host.start(agent, { words: "a" }, chatting);
    await host.drive(run);
    return run;
  };

  test("is told why its file is refused, and the model that it failed", async () => {
    const caught: unknown[] = [];
    const { host, requests } = openTool(async (_, context) => {
      for (const [bytes, type] of [
        [picture(1), "image/gif"],
        ["text", "image/png"],
        [picture(1), "text/html"],
      ])
        await context
          .file(bytes as Uint8Array, String(type))
          .catch((error: unknown) => caught.push(error));
      return {};
    });
    await go(host);
    expect(caught).toMatchObject(Array.from({ length: 3 }, () => ({ code: "FILE_REFUSED" })));
    expect(requests.at(-1)?.at(-1)).toBe("tool: result");
  });

  test("makes at most FILES_MAX files", async () => {
    let refused: unknown;
    const { host, requests } = openTool(async (_, context) => {
      const made: FileRef[] = [];
      for (let mark = 0; mark < FILES_MAX; mark++)
        made.push(await context.file(picture(mark), "image/png"));
      await context.file(picture(99), "image/png").catch((error: unknown) => {
        refused = error;
      });
      return made;
    });
    await go(host);
    expect(refused).toMatchObject({ code: "FILE_REFUSED" });
    expect(requests.at(-1)?.at(-1)?.split(" | ")).toHaveLength(FILES_MAX + 1);
  });

  test("cannot hide a secret in a file", async () => {
    let refused: unknown;
    const { host } = openTool(
      async (_, context) => {
        const bytes = Uint8Array.from([
          ...picture(1),
          ...new TextEncoder().encode(context.secrets["key"]),
        ]);
        await context.file(bytes, "image/png").catch((error: unknown) => {
          refused = error;
        });
        return {};
      },
      ["key"],
    );
    await go(host);
    expect(refused).toMatchObject({ code: "FILE_REFUSED", message: "the file has a secret in it" });
  });

  test("reads a file that it is given, and finds no other", async () => {
    const found: unknown[] = [];
    const { host } = openTool(async (_, context) => {
      const made = await context.file(picture(5), "image/png");
      found.push(await context.readFile(made));
      for (const lie of [
        { ...made, mediaType: "image/gif" },
        { ...made, file: made.file.replace(/.$/, "x") },
        "made",
      ])
        await context.readFile(lie as FileRef).catch((error: unknown) => found.push(error));
      return {};
    });
    await go(host);
    expect(found).toEqual([
      picture(5),
      ...Array.from({ length: 3 }, () => expect.objectContaining({ code: "FILE_NOT_FOUND" })),
    ]);
  });

  test("that makes up a file has only said so", async () => {
    const forged = { file: `hmac-sha256:${"0".repeat(64)}`, mediaType: "image/png", bytes: 30 };
    const { host, requests } = openTool(async () => ({ forged }));
    await go(host);
    expect(requests.at(-1)?.at(-1)).toBe("tool: result");
  });

  test("settles with the files that it made", async () => {
    const { host, stores } = openTool(async (_, context) => ({
      drawn: await context.file(picture(7), "image/png", "seven.png"),
    }));
    const run = await go(host);
    const settled = (await stores.log.read(run, 1)).filter(
      ({ type, content }) => type === "action.settled" && "files" in content,
    );
    expect(settled).toMatchObject([{ content: { files: [{ mediaType: "image/png", size: 30 }] } }]);
    expect(JSON.stringify(settled)).not.toContain("seven");
  });
});

describe("a model", () => {
  const drawIt =
    (mark: number): Answer =>
    (request) => {
      const file = request.takeFile?.(png(mark));
      return file === undefined
        ? []
        : [
            { kind: "text", text: "here" },
            { kind: "file", ...file },
          ];
    };

  test("makes files, which are kept, given and sent back", async () => {
    const { model, requests } = openEye([drawIt(4), text("bye")]);
    const host = openHost(model);
    const run = await host.start(agent, { words: "a" }, chatting);
    await host.drive(run);
    const output = (await host.readOutput(agent, run)) as unknown as { files: FileRef[] };
    expect(output).toMatchObject({ text: "here", files: [{ mediaType: "image/png", bytes: 30 }] });
    expect(await host.readFile(run, output.files[0]?.file ?? "")).toEqual(png(4));
    await host.signal(run, { name: "message", key: "b", by: "ada", payload: { words: "b" } });
    await host.drive(run);
    expect(requests.at(-1)).toEqual(["user: a", `assistant: text,${marked(4)}`, "user: b"]);
  });

  test("cannot name a file that it did not give", async () => {
    const forged = {
      file: `hmac-sha256:${"0".repeat(64)}`,
      mediaType: "image/png",
      bytes: 30,
    } as const;
    const { model } = openEye([[{ kind: "file", ...forged }]]);
    const host = openHost(model);
    const run = await host.start(agent, { words: "a" }, chatting);
    await host.drive(run);
    expect(await problemsOf(host, run)).toMatchObject({ code: "BACKEND_FAILED" });
    expect(await closedTurns(host, run)).toMatchObject([{ outcome: "failed" }]);
  });

  test("makes at most FILES_MAX, also of one file again and again", async () => {
    const { model } = openEye([
      (request) =>
        Array.from({ length: 60 }, () => request.takeFile?.(png(7))).flatMap((file) =>
          file === undefined ? [] : [{ kind: "file", ...file } as const],
        ),
    ]);
    const host = openHost(model);
    const run = await host.start(agent, { words: "a" }, chatting);
    await host.drive(run);
    const output = (await host.readOutput(agent, run)) as unknown as { files: FileRef[] };
    expect(output.files).toHaveLength(FILES_MAX);
  });

  test("makes at most FILES_MAX, and none that is refused", async () => {
    const { model } = openEye([
      (request) => {
        const bad = request.takeFile?.({ mediaType: "image/gif", bytes: picture(1) });
        const taken = Array.from({ length: FILES_MAX + 1 }, (_, mark) =>
          request.takeFile?.(png(mark)),
        );
        expect([bad, taken.at(-1)]).toEqual([undefined, undefined]);
        return taken.flatMap((file) =>
          file === undefined ? [] : [{ kind: "file", ...file } as const],
        );
      },
    ]);
    const host = openHost(model);
    const run = await host.start(agent, { words: "a" }, chatting);
    await host.drive(run);
    const output = (await host.readOutput(agent, run)) as unknown as { files: FileRef[] };
    expect(output.files).toHaveLength(FILES_MAX);
  });
});
