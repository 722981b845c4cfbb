/** Two callers of one run at once, each way in which that happens. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Stores } from "@turnseal/ports";
import { createServer, driveRuns } from "@turnseal/server";
import { type Desk, type Got, listen } from "./desk.ts";

export interface Pair {
  readonly order: string;
  readonly workMs: number;
  /** How much later the second caller comes. */
  readonly afterMs: number;
}

export type CallTwice = (pair: Pair) => Promise<readonly Got[]>;

const by = { id: "bea", roles: [] };
const budget = {};
const grant = { grantor: "ada", tools: ["local.pay"], budget };
const policy = {
  name: "payments",
  rules: [{ id: "pays", decision: "ask" as const, tools: ["local.pay"] }],
};

/** Two clicks on Approve, each followed by a resume. */
export function approveTwice({ host, pay }: Desk): CallTwice {
  return async ({ order, workMs, afterMs }) => {
    const start = { grant, policy, key: order };
    const { run, requests } = await host.run(pay, { order, workMs }, start);
    const approve = async (waitMs: number): Promise<Got> => {
      await sleep(waitMs);
      // The second may find that it was decided: then it only waits for the outcome.
      await host
        .decide(run, requests[0]?.id ?? "", { choice: "approve", by })
        .catch((error: { readonly code?: string }) => {
          if (error.code !== "REQUEST_UNKNOWN") throw error;
        });
      return listen(host.resume(pay, run));
    };
    return Promise.all([approve(0), approve(afterMs)]);
  };
}

export function resumeTwice({ host, pay }: Desk): CallTwice {
  return async ({ order, workMs, afterMs }) => {
    const run = await host.start(pay, { order, workMs }, { grant, key: order });
    const second = sleep(afterMs).then(() => listen(host.resume(pay, run)));
    return Promise.all([listen(host.resume(pay, run)), second]);
  };
}

export function runTwice({ host, pay }: Desk): CallTwice {
  return async ({ order, workMs, afterMs }) => {
    const begin = () => listen(host.run(pay, { order, workMs }, { grant, key: order }));
    return Promise.all([begin(), sleep(afterMs).then(begin)]);
  };
}

/** A start over HTTP whose answer was lost, and that is sent again. */
export function startTwice({ host, pay }: Desk, stores: Stores): CallTwice {
  const failures = new Map<string, string>();
  const { lookAt } = driveRuns({
    drive: host.driveNow,
    onFailure: (run, error) => failures.set(run, String(error)),
  });
  const served = { ...host, stores, lookAt };
  const server = createServer({
    tenants: () => served,
    agents: { pay: { loop: pay, grant } },
    authenticate: async () => ({ tenant: "acme", id: "bea", roles: [] }),
  });
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { "content-type": "application/json" };
    const answer = await server.fetch(new Request(`http://desk${path}`, { ...init, headers }));
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  };
  const start = async ({ order, workMs }: Pair, waitMs: number): Promise<Got> => {
    await sleep(waitMs);
    const body = JSON.stringify({ agent: "pay", input: { order, workMs }, key: order });
    const { status, json } = await ask("/v1/runs", { method: "POST", body });
    const run = String(json["run"]);
    if (status >= 300) return { error: `${status} ${JSON.stringify(json)}` };
    for (;;) {
      const failure = failures.get(run);
      if (failure !== undefined) return { error: failure };
      const { json: state } = await ask(`/v1/runs/${run}`);
      if (state["status"] === "done") {
        const { status: at, stopped, requests } = state;
        return { outcome: JSON.stringify({ run, at, stopped, requests }) };
      }
      await sleep(10);
    }
  };
  return (pair) => Promise.all([start(pair, 0), start(pair, pair.afterMs)]);
}
