/**
 * A process that advances runs by its messages, until it is killed: `worker.ts <file of the store>
 * <url of the outside world>`.
 */
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import { type Append, type Clock, systemClock } from "@turnseal/ports";
import {
  type Effect,
  formatErrorChain,
  isClaimOf,
  isLoopError,
  type JsonObject,
} from "@turnseal/protocol";
import { crashSigner } from "../kit/crash-key.ts";
import {
  type OnCrossing,
  watchLoop,
  watchModel,
  watchSigner,
  watchStores,
} from "../kit/crossings.ts";
import type { Post } from "./pay-tool.ts";
import { createPaymentLoops, createPaymentModel } from "./payment-loops.ts";
import type { Job, Plan, Report } from "./worker-messages.ts";

const [file = "", url = ""] = process.argv.slice(2);

let aheadMs = 0;
const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };

let plan: Plan = { kind: "none" };
let crossings = 0;
const onCrossing: OnCrossing = (place, append) => {
  crossings += 1;
  if (plan.kind === "kill" && crossings === plan.at) process.kill(process.pid, "SIGKILL");
  if (plan.kind === "freeze" && place === "after append" && claimsPayment(append)) {
    plan = { kind: "none" };
    process.kill(process.pid, "SIGSTOP");
  }
};

function claimsPayment(append: Append | undefined): boolean {
  return (append?.events ?? []).some(
    (event) => isClaimOf("tool", event) && event.content.tool === "local.pay",
  );
}

let pending = 0;
const post: Post = async (path, body, signal) => {
  const request = { method: "POST", body: JSON.stringify(body), ...(signal && { signal }) };
  pending += 1;
  try {
    return (await (await fetch(`${url}${path}`, request)).json()) as JsonObject;
  } catch (error) {
    throw new Error(`nobody knows whether ${path} arrived`, { cause: error });
  } finally {
    pending -= 1;
  }
};

const stores = watchStores(sqliteStores({ file, clock }), onCrossing);
const hosts = new Map<Effect, LocalHost>();

function hostFor(effect: Effect): LocalHost {
  const known = hosts.get(effect);
  if (known !== undefined) return known;
  const host = createLocalHost({
    loops: createPaymentLoops(effect, post).map((loop) => watchLoop(loop, onCrossing)),
    stores,
    signer: watchSigner(crashSigner, onCrossing),
    clock,
    models: { outside: watchModel(createPaymentModel(post), onCrossing) },
  });
  hosts.set(effect, host);
  return host;
}

async function runJob(job: Job): Promise<Report> {
  ({ aheadMs, plan } = job);
  crossings = 0;
  try {
    const advanced = await hostFor(job.effect).advance(job.run);
    if (advanced.dues.kind === "blocked") return { kind: "broken", message: advanced.dues.why };
    return { kind: "advanced", dues: advanced.dues, crossings, isBusy: pending > 0 };
  } catch (error) {
    const isFenced = isLoopError(error) && error.code === "LOG_FENCED";
    return isFenced ? { kind: "fenced" } : { kind: "broken", message: formatErrorChain(error) };
  }
}

function report(message: Report): void {
  // The parent process may be gone, so that no process reads the report.
  process.send?.(message, () => {});
}

process.on("message", (job: Job) => {
  runJob(job).then(report, (error: unknown) =>
    report({ kind: "broken", message: formatErrorChain(error) }),
  );
});
process.on("disconnect", () => process.exit());
report({ kind: "ready" });
