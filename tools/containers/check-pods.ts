/** Forbidden properties of pods: each check answers with the places that break it. */
import { type Container, listContainers, type Pod } from "./read-manifests.ts";

/** For the group alone: 0440. */
const SECRET_MODE = 0o440;
/** Keys of models and secrets of tools are read from the environment, and nothing else is. */
const FROM_ENVIRONMENT: ReadonlySet<string> = new Set(["turnseal-models"]);

/** Pods that could do more than they need. */
export function checkRights(pod: Pod): string[] {
  const { securityContext: own = {}, ...spec } = pod.spec;
  const rules: readonly (readonly [boolean, string])[] = [
    [spec.automountServiceAccountToken === false, "is given a token of the cluster"],
    [spec.enableServiceLinks === false, "is given variables of every Service"],
    [own.runAsNonRoot === true && (own.runAsUser ?? 0) > 0, "may run as root"],
    [own.seccompProfile?.type === "RuntimeDefault", "may make any call of the system"],
    [own.fsGroup === own.runAsUser && own.fsGroup !== undefined, "cannot read its secrets"],
  ];
  const problems = rules.flatMap(([holds, what]) => (holds ? [] : [`${pod.place} ${what}`]));
  const inside = listContainers(pod).flatMap((container) =>
    checkContainer(container).map((what) => `${pod.place}: ${container.name} ${what}`),
  );
  return [...problems, ...inside];
}

function checkContainer(container: Container): string[] {
  const { securityContext = {}, resources = {}, image, command, envFrom = [] } = container;
  const { capabilities = {} } = securityContext;
  const rules: readonly (readonly [boolean, string])[] = [
    [securityContext.readOnlyRootFilesystem === true, "may write to its file system"],
    [securityContext.allowPrivilegeEscalation === false, "may gain rights"],
    [capabilities.drop?.join() === "ALL" && capabilities.add === undefined, "has capabilities"],
    [resources.requests?.["cpu"] !== undefined, "asks for no processor"],
    [resources.requests?.["memory"] !== undefined, "asks for no memory"],
    [resources.limits?.["memory"] !== undefined, "may take all memory"],
    [/:[^:/]+$/.test(image) && !image.endsWith(":latest"), "has an image that may change"],
    [command === undefined, "does not run what the image runs"],
    [
      envFrom.every(({ secretRef }) => secretRef === undefined || isKnown(secretRef.name)),
      "has a secret in its environment",
    ],
  ];
  return rules.flatMap(([holds, what]) => (holds ? [] : [what]));
}

function isKnown(secret: string): boolean {
  return FROM_ENVIRONMENT.has(secret);
}

/** Secrets that others may read, volumes that are not there, files that no volume brings. */
export function checkFiles(pod: Pod, data: Readonly<Record<string, string>>): string[] {
  const { volumes = [] } = pod.spec;
  const open = volumes
    .filter(({ secret }) => secret !== undefined && secret.defaultMode !== SECRET_MODE)
    .map(({ name }) => `${pod.place}: the secret ${name} has another mode than 0440`);
  const inside = listContainers(pod).flatMap((container) => {
    const { name, volumeMounts = [] } = container;
    const unknown = volumeMounts
      .filter((mount) => !volumes.some((volume) => volume.name === mount.name))
      .map((mount) => `has no volume ${mount.name}`);
    const written = volumeMounts
      .filter(({ readOnly }) => readOnly !== true)
      .map((mount) => `may write to ${mount.mountPath}`);
    const missing = listFiles(container, data)
      .filter((file) => !volumeMounts.some(({ mountPath }) => file.startsWith(`${mountPath}/`)))
      .map((file) => `has no ${file}`);
    return [...unknown, ...written, ...missing].map((what) => `${pod.place}: ${name} ${what}`);
  });
  return [...open, ...inside];
}

/** Files that its arguments and variables name. */
function listFiles(container: Container, data: Readonly<Record<string, string>>): string[] {
  const { args = [], env = [], envFrom = [] } = container;
  const isConfigured = envFrom.some(({ configMapRef }) => configMapRef !== undefined);
  const texts = [
    ...args,
    ...env.map(
      ({ value, valueFrom }) => value ?? data[valueFrom?.configMapKeyRef?.key ?? ""] ?? "",
    ),
    ...(isConfigured ? [data["TURNSEAL_POSTGRES_URL"] ?? ""] : []),
  ];
  return texts.flatMap((text) => text.match(/(?<==|^)\/(?:secrets|config)\/[\w./-]+/g) ?? []);
}

/** Commands and flags that the program does not have, by its help for each command. */
export async function checkCommand(
  { name: container, args = [] }: Container,
  readHelp: (command: string) => Promise<string>,
): Promise<string[]> {
  const [command = "", ...rest] = args;
  const help = await readHelp(command);
  if (!help.includes(`Usage: turnseal ${command} `))
    return [`${container}: there is no command ${command}`];
  return rest
    .filter((word) => word.startsWith("--"))
    .map((word) => word.split("=")[0] ?? "")
    .filter((flag) => !new RegExp(`${flag}[ ,\\n]`).test(help))
    .map((flag) => `${container}: ${command} has no ${flag}`);
}
