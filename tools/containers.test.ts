// The manifests for Kubernetes against the program that they start. That the processes listen as
// the manifests say, `e2e/containers.test.ts` shows.
import { PassThrough, Readable } from "node:stream";
import { parseCells } from "@turnseal/operate/cells";
import { createScreen } from "@turnseal/terminal";
import { expect, test } from "vitest";
import type * as defaultsModule from "../apps/cli/src/durable/defaults.ts";
import type * as programModule from "../apps/cli/src/program.ts";
import type * as serveModule from "../apps/cli/src/serve/add-serve-command.ts";
import { checkCommand, checkFiles, checkRights } from "./containers/check-pods.ts";
import { checkGrace, checkProbes, checkSelectors } from "./containers/check-references.ts";
import {
  type Container,
  listContainers,
  listPods,
  type Manifest,
  type Pod,
  readArgument,
  readManifests,
} from "./containers/read-manifests.ts";
import { readTree, repositoryRoot } from "./tidy/tree.ts";

// The insides of the command, which its package does not export.
const source = new URL("../apps/cli/src/", import.meta.url);
const load = <Module>(path: string): Promise<Module> => import(new URL(path, source).href);
const { runProgram } = await load<typeof programModule>("program.ts");
const defaults = await load<typeof defaultsModule>("durable/defaults.ts");
const { SERVE_PORT_DEFAULT } = await load<typeof serveModule>("serve/add-serve-command.ts");

const manifests = readManifests(readTree(repositoryRoot));
const pods = listPods(manifests);
const serving = pods.filter(({ place }) => place.startsWith("Deployment "));
const config =
  manifests.find(({ kind, metadata: { name } }) => `${kind} ${name}` === "ConfigMap turnseal")
    ?.data ?? {};

async function readHelp(command: string): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let help = "";
  stdout.on("data", (chunk) => {
    help += String(chunk);
  });
  await runProgram([command, "--help"], {
    ...{ environment: {}, stdin: Readable.from([]), stdout, stderr },
    terminal: { out: createScreen(stdout, {}), err: createScreen(stderr, {}) },
  });
  return help;
}

/** How long a process may take to stop: a worker by its option, the others by their constants. */
function stopMsOf(container: Container): number {
  const told = Number(readArgument(container, "--drain-max") ?? defaults.DRAIN_MS_DEFAULT);
  const times: Record<string, number> = { worker: told, serve: 15_000, route: 5_000 };
  return times[container.name] ?? 0;
}

test("each document is one that Kubernetes knows, in our namespace, with its own name", () => {
  const kinds = new Set(manifests.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
  expect([...kinds].toSorted()).toEqual([
    ...["apps/v1 Deployment", "batch/v1 CronJob", "batch/v1 Job"],
    ...["policy/v1 PodDisruptionBudget", "v1 ConfigMap", "v1 Namespace", "v1 Service"],
  ]);
  const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
  const spaces = manifests.filter(({ kind }) => kind !== "Namespace");
  expect(new Set(spaces.map(({ metadata }) => metadata.namespace))).toEqual(new Set(["turnseal"]));
  expect(pods.map(({ place }) => place)).toEqual([
    ...["Job turnseal-migrate-r1", "Job turnseal-release-r1", "CronJob turnseal-repair-default"],
    ...["Deployment turnseal-route", "Deployment turnseal-serve", "Deployment turnseal-worker-r1"],
  ]);
});

test("no pod may do more than it needs", () => {
  expect(pods.flatMap(checkRights)).toEqual([]);
});

test("secrets are files for the group alone, and every file that is named is mounted", () => {
  expect(pods.flatMap((pod) => checkFiles(pod, config))).toEqual([]);
  for (const name of ["TURNSEAL_POSTGRES_URL", "OWNER_POSTGRES_URL"]) {
    const url = new URL(config[name] ?? "");
    expect([url.password, url.searchParams.get("sslmode")]).toEqual(["", "verify-full"]);
  }
});

test("every command and flag is one of the program", async () => {
  const problems: string[] = [];
  for (const container of pods.flatMap(listContainers))
    problems.push(...(await checkCommand(container, readHelp)));
  expect(problems).toEqual([]);
});

test("ports are the usual ones, probes ask what is answered, and Services find pods", () => {
  expect(
    serving.flatMap((pod) => pod.spec.containers.flatMap((each) => checkProbes(pod.place, each))),
  ).toEqual([]);
  expect(checkSelectors(manifests)).toEqual([]);
  const ports = Object.fromEntries(
    serving.flatMap(({ spec }) =>
      spec.containers.map((each) => [each.name, each.ports?.map((port) => port.containerPort)]),
    ),
  );
  const { WORKER_PORT_DEFAULT, METRICS_PORT_DEFAULT } = defaults;
  expect(ports).toEqual({
    worker: [WORKER_PORT_DEFAULT, METRICS_PORT_DEFAULT],
    serve: [SERVE_PORT_DEFAULT, METRICS_PORT_DEFAULT],
    route: [8786],
  });
  // The address at which workers are registered is that of their Service.
  const register = pods.flatMap(listContainers).find(({ name }) => name === "register");
  const worker = pods.flatMap(listContainers).find(({ name }) => name === "worker");
  expect(register?.args?.at(-1)).toBe(worker && readArgument(worker, "--advertise"));
});

test("a pod has longer to stop than its process takes", () => {
  expect(serving.flatMap((pod) => checkGrace(pod, stopMsOf))).toEqual([]);
});

test("every Deployment has a budget for disruptions, and a router has cells", () => {
  const budgets = manifests.filter(({ kind }) => kind === "PodDisruptionBudget");
  expect(
    budgets.map(({ metadata, spec }) => [`Deployment ${metadata.name}`, spec?.maxUnavailable]),
  ).toEqual(serving.map(({ place }) => [place, 1]));
  const cells = manifests.flatMap(({ data }) => data?.["cells.json"] ?? []);
  expect(cells.map((text) => parseCells(text).kind)).toEqual(["read"]);
});

/** The pod of the workers, with something else in it. */
function change(edit: (text: string) => string): { pod: Pod; container: Container } {
  const [worker] = serving.filter(({ place }) => place.includes("worker"));
  const pod: Pod = JSON.parse(edit(JSON.stringify(worker)));
  const [container] = pod.spec.containers;
  if (container === undefined) throw new Error("the workers have no container");
  return { pod, container };
}

test.each([
  ['"readOnlyRootFilesystem":true', '"readOnlyRootFilesystem":false', "may write to its file"],
  ['"runAsNonRoot":true', '"runAsNonRoot":false', "may run as root"],
  ['"runAsUser":65532', '"runAsUser":65533', "cannot read its secrets"],
  ['"drop":["ALL"]', '"drop":["ALL"],"add":["NET_ADMIN"]', "has capabilities"],
  ["RuntimeDefault", "Unconfined", "may make any call"],
  ['"automountServiceAccountToken":false,', "", "is given a token"],
  ['"allowPrivilegeEscalation":false', '"allowPrivilegeEscalation":true', "may gain rights"],
  ["agents:1", "agents:latest", "an image that may change"],
  ["turnseal-models", "turnseal-sign", "a secret in its environment"],
  ['"limits":{"memory":"1Gi"}', '"limits":{}', "may take all memory"],
])("%s as %s is found", (from, to, message) => {
  const { pod } = change((text) => text.replace(from, to));
  expect(checkRights(pod)).toEqual([expect.stringContaining(message)]);
});

test.each([
  [`"defaultMode":${0o440}`, `"defaultMode":${0o444}`, "another mode than 0440"],
  ['"mountPath":"/secrets/sign"', '"mountPath":"/elsewhere"', "has no /secrets/sign/sign-key.pem"],
  ['"mountPath":"/secrets/database"', '"mountPath":"/db"', "has no /secrets/database/ca.crt"],
  ['{"name":"sign","secret"', '{"name":"other","secret"', "has no volume sign"],
])("%s as %s is found", (from, to, message) => {
  const { pod } = change((text) => text.replace(from, to));
  expect(checkFiles(pod, config)[0]).toContain(message);
});

test.each([
  ["--slots=", "--slot=", "worker has no --slot"],
  ['["worker"', '["work"', "there is no command work"],
])("%s as %s is found", async (from, to, message) => {
  const { container } = change((text) => text.replace(from, to));
  expect(await checkCommand(container, readHelp)).toEqual([expect.stringContaining(message)]);
});

test.each([
  ['{"path":"/health"', '{"path":"/ready"', "a wrong readinessProbe"],
  ['"port":"metrics"', '"port":"engine"', "a wrong readinessProbe"],
  ["--metrics-port=9464", "--metrics-port=9465", "listens elsewhere"],
  ["--bind=0.0.0.0", "--bind=127.0.0.1", "listens to itself only"],
])("%s as %s is found", (from, to, message) => {
  const { pod, container } = change((text) => text.replace(from, to));
  expect(checkProbes(pod.place, container)).toContainEqual(expect.stringContaining(message));
});

test("a pod that is killed too early, and a Service without pods, are found", () => {
  const { pod } = change((text) => text.replace("--drain-max=60000", "--drain-max=75000"));
  expect(checkGrace(pod, stopMsOf)).toHaveLength(1);
  const { pod: silent } = change((text) => text.replace(/"--drain-max=60000",/, ""));
  expect(checkGrace(silent, stopMsOf)).toEqual([]);
  const lost = JSON.stringify(manifests).replace('"release":"r1"}', '"release":"r2"}');
  const broken: Manifest[] = JSON.parse(lost);
  expect(checkSelectors(broken)).not.toEqual([]);
});

test("a document that could be read in two ways is refused", () => {
  const twice = new Map([["deploy/kubernetes/a.yaml", "kind: Job\nkind: Service\n"]]);
  expect(() => readManifests(twice)).toThrow("deploy/kubernetes/a.yaml: ");
});
