/** Whether manifests fit each other: labels, ports, probes, and the time that a pod has to stop. */
import {
  type Container,
  listPods,
  type Manifest,
  type Pod,
  type Probe,
  readArgument,
} from "./read-manifests.ts";

/** Where each command listens, by its flag, and what a probe may ask there. */
export const DOORS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  // Not /ready: a release that is not promoted still executes the runs that are handed to it.
  worker: { "--port": [], "--metrics-port": ["/health"] },
  // Not /ready: while the engine is away, all servers would be taken away from those who read.
  serve: { "--port": ["/v1/health"], "--metrics-port": ["/health"] },
  route: { "--port": ["/v1/health"] },
};

/** Probes that nothing answers, and ports on which nothing listens. */
export function checkProbes(place: string, container: Container): string[] {
  const { name, args: [command = ""] = [], ports = [], readinessProbe, livenessProbe } = container;
  const doors = Object.entries(DOORS[command] ?? {});
  const listening = doors.map(([flag]) => Number(readArgument(container, flag)));
  const declared = ports.map(({ containerPort }) => containerPort);
  const problems = [
    ...(`${declared.toSorted()}` === `${listening.toSorted()}` ? [] : ["listens elsewhere"]),
    ...(readArgument(container, "--bind") === "0.0.0.0" ? [] : ["listens to itself only"]),
  ];
  const isAnswered = ({ httpGet: { path, port } }: Probe): boolean => {
    const asked = ports.find((each) => each.name === port)?.containerPort;
    return doors.some(
      ([flag, paths]) => Number(readArgument(container, flag)) === asked && paths.includes(path),
    );
  };
  for (const [kind, probe] of Object.entries({ readinessProbe, livenessProbe }))
    if (probe === undefined || !isAnswered(probe)) problems.push(`has a wrong ${kind}`);
  return problems.map((what) => `${place}: ${name} ${what}`);
}

/** Pods that are killed while they still end what they began. */
export function checkGrace(
  { place, spec }: Pod,
  stopMsOf: (container: Container) => number,
): string[] {
  // Kubernetes uses 30 by default.
  const { terminationGracePeriodSeconds: grace = 30, containers } = spec;
  return containers
    .filter((container) => {
      const slept = container.lifecycle?.preStop.sleep.seconds ?? 0;
      return (slept + stopMsOf(container) / 1_000) * 1.1 > grace;
    })
    .map(({ name }) => `${place}: ${name} has ${grace} s, and may need longer`);
}

/** Lists selectors that match no pod, or name a missing port. */
export function checkSelectors(manifests: readonly Manifest[]): string[] {
  const pods = listPods(manifests);
  return manifests.flatMap(({ kind, metadata: { name }, spec }) => {
    if (spec?.selector === undefined) return [];
    const { matchLabels } = spec.selector;
    const wanted = Object.entries(typeof matchLabels === "object" ? matchLabels : spec.selector);
    const chosen = pods.filter(({ labels }) =>
      wanted.every(([key, value]) => labels[key] === value),
    );
    const place = `${kind} ${name}`;
    if (chosen.length !== 1) return [`${place} selects ${chosen.length} kinds of pods`];
    const ports = chosen.flatMap(({ spec: { containers } }) =>
      containers.flatMap(({ ports: own = [] }) => own.map((port) => port.name)),
    );
    return (spec.ports ?? [])
      .filter(({ targetPort }) => !ports.includes(targetPort))
      .map(({ targetPort }) => `${place} sends to ${targetPort}, which is not there`);
  });
}
