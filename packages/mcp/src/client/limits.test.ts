import { spawn } from "node:child_process";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseServers } from "./config/parse-servers.ts";
import { createFolder, openFixture } from "./fixture/open-server.test.data.ts";
import {
  COMPLAINT_LENGTH_MAX,
  LIST_PAGES_MAX,
  MESSAGE_BYTES_MAX,
  PROGRAM_BYTES_MAX,
  SERVER_TOOLS_MAX,
  SERVERS_MAX,
  UNANSWERED_BYTES_MAX,
} from "./limits.ts";
import { identifyServer } from "./pins/identify-server.ts";
import { parsePins } from "./pins/parse-pins.ts";
import { discoverMcpServer } from "./tools/discover-server.ts";
import { programTransport } from "./wire/program-transport.ts";

test("a file has SERVERS_MAX servers, and not one more", () => {
  const tables = (count: number) => ({
    servers: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`s${index}`, { url: "https://a.example" }]),
    ),
  });
  expect(parseServers(tables(SERVERS_MAX)).kind).toBe("parsed");
  expect(parseServers(tables(SERVERS_MAX + 1)).kind).toBe("refused");
});

test("a pin has SERVER_TOOLS_MAX tools, and not one more", () => {
  const pins = (count: number) => ({
    servers: {
      bank: {
        ...{ identity: { kind: "address", url: "https://a.example/" }, era: "legacy", refused: [] },
        tools: Array.from({ length: count }, (_, index) => ({
          ...{ name: `t${index}`, inputSchema: { type: "object" } },
        })),
      },
    },
  });
  expect(parsePins(pins(SERVER_TOOLS_MAX))?.get("bank")?.tools).toHaveLength(SERVER_TOOLS_MAX);
  expect(parsePins(pins(SERVER_TOOLS_MAX + 1))).toBeUndefined();
});

test("a list has LIST_PAGES_MAX pages, and not one more", async () => {
  const { config } = await openFixture(`pages-${LIST_PAGES_MAX}`);
  expect((await discoverMcpServer("bank", config)).pin.tools).toHaveLength(1);
  const more = await openFixture(`pages-${LIST_PAGES_MAX + 1}`);
  await expect(discoverMcpServer("bank", more.config)).rejects.toThrow("no end");
});

test("the digest of a program covers PROGRAM_BYTES_MAX bytes, and a larger one is refused", () => {
  const file = join(createFolder(), "server.js");
  const filesOf = () => {
    const identity = identifyServer({ command: ["node", file] });
    return identity.kind === "program" ? Object.keys(identity.files) : [];
  };
  writeFileSync(file, "");
  truncateSync(file, PROGRAM_BYTES_MAX);
  expect(filesOf()).toEqual([file]);
  truncateSync(file, PROGRAM_BYTES_MAX + 1);
  expect(filesOf).toThrow(`the file ${file} of the server has more than`);
});

describe("the output of a program", () => {
  /** Runs a script as a server, and collects what it said until it ended. */
  const listen = (script: string) =>
    new Promise<{ messages: number; errors: string[]; complaint: string }>((resolve, reject) => {
      const [messages, errors]: [unknown[], string[]] = [[], []];
      const transport = programTransport(
        async () => spawn(process.execPath, ["-e", script], { detached: true }),
        () => {},
      );
      transport.onmessage = (message) => messages.push(message);
      transport.onerror = (error) => errors.push(error.message);
      transport.onclose = () =>
        resolve({ messages: messages.length, errors, complaint: transport.complaint() });
      const request = { jsonrpc: "2.0" as const, id: 1, method: "a" };
      transport
        .start()
        .then(() => transport.send(request))
        .catch(reject);
    });
  const line = (bytes: number) => `const empty = '{"jsonrpc":"2.0","method":"a","params":""}';
    process.stdout.write(empty.replace('""', '"' + "x".repeat(${bytes} - empty.length) + '"'));`;

  test("has messages of MESSAGE_BYTES_MAX bytes, and not one more", async () => {
    const end = 'process.stdout.write("\\n");';
    const whole = await listen(`${line(MESSAGE_BYTES_MAX)} ${end}`);
    expect(whole).toMatchObject({ messages: 1, errors: [] });
    const more = await listen(`${line(MESSAGE_BYTES_MAX + 1)} setInterval(() => {}, 1000);`);
    expect(more).toMatchObject({
      messages: 0,
      errors: ["the server sent a message that is too long"],
    });
  });

  test("has UNANSWERED_BYTES_MAX bytes between two answers, and not one more", async () => {
    const megabyte = 'process.stdout.write(" ".repeat(2 ** 20 - 1) + "\\n");';
    const count = UNANSWERED_BYTES_MAX / 2 ** 20;
    const flood = `for (let i = 0; i < ${count}; i++) ${megabyte}`;
    expect(await listen(flood)).toMatchObject({ errors: [] });
    const answer = `process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{}}\\n');`;
    expect(
      await listen(
        `${flood.replace(String(count), "40")} ${answer} ${flood.replace(String(count), "40")}`,
      ),
    ).toMatchObject({ messages: 1, errors: [] });
    const more = await listen(`${flood} process.stdout.write("x"); setInterval(() => {}, 1000);`);
    expect(more.errors).toEqual(["the server floods its output"]);
    // Answers that were not asked for end no flood.
    const unasked = answer.replace('"id":1', '"id":2');
    const others = await listen(`${flood} ${unasked} ${flood} setInterval(() => {}, 1000);`);
    expect(others.errors).toContain("the server floods its output");
  });

  test("shows the last COMPLAINT_LENGTH_MAX characters of its errors", async () => {
    const { complaint } = await listen('process.stderr.write("x".repeat(5000) + "at the end")');
    expect(complaint).toHaveLength(COMPLAINT_LENGTH_MAX);
    expect(complaint).toMatch(/^x+at the end$/);
  });
});
