// `turnseal dev --watch` as a person uses it: files are changed, broken, mended and removed while
// runs of what stood in them are parked.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CommandWorld, openCommandWorld, type Running, until } from "./command-world.ts";

const ports = 33_000 + (process.pid % 400) * 5;
let world: CommandWorld;
let place: string[];
let dev: Running;

beforeAll(async () => {
  world = openCommandWorld();
  place = ["--host", `http://127.0.0.1:${ports}`, "--postgres", world.databaseUrl];
  mkdirSync(join(world.folder, "loops"));
  write("asks.toml", 'name = "asks"\n\n[[rules]]\nid = "all"\ndecision = "ask"\n');
  write("loops/pay.mjs", PAY);
  write("word.mjs", 'export const word = "paid";\n');
  write("loops/settle.json", settle("a", "b"));
  const options = ["--postgres", world.databaseUrl, "--ports", String(ports)];
  dev = world.start(["dev", "--watch", ...options]);
  await untilSaid("Press Ctrl-C to stop");
});
afterAll(async () => {
  dev?.child.kill("SIGTERM");
  await dev?.ended;
  await world?.close();
});

function write(name: string, text: string): void {
  writeFileSync(join(world.folder, name), text);
}

/** A tool, of which a word stands in a file that is no loop. */
const PAY = `import { appendFileSync } from "node:fs";
import { word } from "../word.mjs";

export const pay = {
  definition: {
    id: "pay", name: "pay", version: "1.0.0", kind: "tool",
    inputSchema: true, outputSchema: true, tool: { implementation: "local.pay" },
  },
  run: ({ to }) => {
    appendFileSync("ledger.txt", word + " " + to + "\\n");
    return {};
  },
  declared: { effect: "once" },
};
`;

/** A flow that pays each of them beside the others, and never another version of itself. */
function settle(...to: readonly string[]): string {
  const branches = to.map((name) => ({
    ...{ kind: "call", loopId: "pay", inputMapping: { to: `literal:${name}` } },
  }));
  const header = { id: "settle", name: "settle", version: "1.0.0", kind: "composite" };
  const open = { inputSchema: true, outputSchema: true };
  const composite = { flow: { kind: "parallel", branches } };
  return JSON.stringify({ ...header, ...open, composite }, null, 2);
}

let heard = 0;
/** The output from now on, once it has these words. */
async function untilSaid(words: string): Promise<string> {
  const said = await until(() => {
    const news = dev.all().slice(heard);
    return news.includes(words) ? news : undefined;
  }, 110_000);
  heard += said.length;
  return said;
}

async function park(): Promise<string> {
  const rules = ["--allow", "local.pay", "--policy", "asks.toml", "--json"];
  const { code, out, err } = await world.run(["run", "settle", ...rules, ...place]);
  expect([code, err]).toEqual([2, ""]);
  return JSON.parse(out.split("\n")[0] ?? "").run;
}

/** Approves everything that a run asks, and waits for its end. */
async function approveAll(run: string): Promise<string> {
  const { out } = await world.run(["inbox", "--json", ...place]);
  const listed: { readonly run: string; readonly approvals: { readonly id: string }[] }[] =
    JSON.parse(out);
  for (const { id } of listed.find((each) => each.run === run)?.approvals ?? []) {
    const { code, err } = await world.run(["approve", id, ...place]);
    expect([code, err]).toEqual([0, ""]);
  }
  return until(async () => {
    const shown = await world.run(["show", run, "--json", ...place]);
    return JSON.parse(shown.out).reason ?? undefined;
  });
}

test("a changed flow is served beside the one that an open run was started with", async () => {
  const first = await park();
  write("loops/settle.json", settle("c", "a", "b"));
  const said = await untilSaid("a run of");
  expect(said).toContain("✓ reloaded");
  expect(said).toMatch(/changed +settle 1\.0\.0/);
  expect(said).toContain("1 unfinished run of earlier definitions");
  // The bounds are computed again.
  expect(said).toMatch(/calls +4 of loops a turn/);
  const second = await park();

  // A file that is broken changes nothing, and where it is broken is said.
  write("loops/settle.json", settle("c").replace('"branches"', '"branchs"'));
  const broken = await untilSaid("still served");
  expect(broken).toMatch(/loops\/settle\.json:\d+:\d+ {2}field-unknown/);
  expect(broken).toContain("branches");
  expect(await approveAll(first)).toBe("goal-reached");
  expect(world.readLedger().sort()).toEqual(["paid a", "paid b"]);

  // A loop that is gone is gone for new runs alone.
  rmSync(join(world.folder, "loops", "settle.json"));
  expect(await untilSaid("1 unfinished run of earlier")).toMatch(/removed +settle 1\.0\.0/);
  expect(await approveAll(second)).toBe("goal-reached");
  expect(world.readLedger()).toHaveLength(5);

  // An import belongs to its module: the code of the tool changed, its definition did not.
  write("loops/settle.json", settle("d"));
  await untilSaid("✓ reloaded");
  write("word.mjs", 'export const word = "sent";\n');
  await untilSaid("no definition has changed");
  expect(await approveAll(await park())).toBe("goal-reached");
  expect(world.readLedger().at(-1)).toBe("sent d");
  expect(await world.run(["verify", ...place])).toMatchObject({ code: 0 });
  dev.child.kill("SIGINT");
  expect((await dev.ended).code).toBe(0);
}, 400_000);
