// An engine that is killed and started again while healthy workers execute payments.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPostgresStores } from "@turnseal/adapters/postgres";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import { createIngress } from "@turnseal/host/restate";
import { createMemorySigner } from "@turnseal/ports";
import type { Loop } from "@turnseal/protocol/authoring";
import { createPost, type Engine, findEnginePorts, startEngine } from "@turnseal/runtime/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  askServer,
  type CommandWorld,
  IDENTITY,
  openCommandWorld,
  until,
} from "./command-world.ts";
import { type Crew, startCrew } from "./shared-address.ts";

const PAYMENTS = 6;
/** Longer than the engine takes to come back. */
const PAYMENT_MS = 6_000;
const loopsFor = (ledger: string): string => `
import { appendFileSync } from "node:fs";
export const pay = {
  definition: {
    id: "pay", name: "pay", version: "1.0.0", kind: "tool", inputSchema: true, outputSchema: true,
    tool: { implementation: "local.pay" }, policy: { timeoutMs: 20000 },
  },
  run: async ({ order }) => {
    appendFileSync(${JSON.stringify(ledger)}, order + "\\n");
    await new Promise((resume) => setTimeout(resume, ${PAYMENT_MS}));
    return { paid: order };
  },
  declared: { effect: "once" },
};
`;

let world: CommandWorld;
let engine: Engine;
let crew: Crew;
let host: LocalHost;
let stores: Awaited<ReturnType<typeof openPostgresStores>>;
const folder = (): string => join(world.folder, "engine");
const readLedger = (): string[] => {
  try {
    return readFileSync(world.ledger, "utf8").trim().split("\n");
  } catch {
    return [];
  }
};

beforeAll(async () => {
  world = openCommandWorld();
  mkdirSync(folder());
  writeFileSync(join(folder(), "identity.pem"), IDENTITY.pem);
  writeFileSync(join(world.folder, "loops.mjs"), loopsFor(world.ledger));
  engine = await startEngine({ folder: folder(), ports: await findEnginePorts() });
  await askServer(`create database ${new URL(world.databaseUrl).pathname.slice(1)}`);
  await world.run(["migrate", "--postgres", world.databaseUrl]);
  const args = [
    ...["--from", "loops.mjs", "--postgres", world.databaseUrl, "--admin", engine.admin],
    ...["--identity-key", IDENTITY.key],
  ];
  crew = await startCrew({ world, workers: [{ args }, { args }, { args }] });
  const deploy = (...more: string[]) =>
    world.run(["deploy", ...more, "--admin", engine.admin, "--postgres", world.databaseUrl]);
  const registered = await deploy("register", "--url", crew.url, "--from", "loops.mjs");
  const name = /[0-9a-f]{16}/.exec(registered.out)?.[0] ?? "";
  expect(await deploy("promote", name)).toMatchObject({ code: 0 });
  stores = await openPostgresStores({ url: world.databaseUrl, tenant: "default" });
  const post = createPost(60_000);
  const { put } = createIngress({ ingress: engine.ingress, tenant: "default", post });
  const loops: Record<string, Loop<object, unknown>> = await import(
    join(world.folder, "loops.mjs")
  );
  const signer = await createMemorySigner();
  host = createLocalHost({ loops: Object.values(loops), stores, signer, put });
});
afterAll(async () => {
  await stores?.close();
  await crew?.close();
  await engine?.kill();
  await world?.close();
});

test("workers that execute a payment record it, and no person is asked", async () => {
  const loops: Record<string, Loop<object, unknown>> = await import(
    join(world.folder, "loops.mjs")
  );
  const pay = loops["pay"];
  if (pay === undefined) throw new Error("there is no loop pay");
  const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
  const orders = Array.from({ length: PAYMENTS }, (_, index) => `order-${index}`);
  const runs = await Promise.all(orders.map((order) => host.start(pay, { order }, { grant })));
  await until(() => (readLedger().length === PAYMENTS ? true : undefined), 60_000);
  const { ingress, admin } = engine;
  await engine.kill();
  const [ingressPort, adminPort] = [ingress, admin].map((url) => Number(new URL(url).port));
  const { node } = await findEnginePorts();
  const ports = { node, ingress: ingressPort ?? 0, admin: adminPort ?? 0 };
  engine = await startEngine({ folder: folder(), ports });
  const stopped = await Promise.all(
    runs.map((run) =>
      until(async () => {
        const shown = await host.show(run);
        const unknown = shown?.openTurn?.open.some(({ isUnknown }) => isUnknown);
        return shown?.stopped ?? (unknown === true ? "a person is asked" : undefined);
      }, 120_000),
    ),
  );
  expect(stopped).toEqual(orders.map(() => "goal-reached"));
  expect(readLedger().toSorted()).toEqual(orders);
}, 240_000);
