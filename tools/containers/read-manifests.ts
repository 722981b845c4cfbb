/** The manifests of a folder, read as Kubernetes reads them. */
import { parseAllDocuments } from "yaml";
import type { Tree } from "../tidy/tree.ts";

type Labels = Readonly<Record<string, string>>;

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly envFrom?: readonly {
    readonly configMapRef?: { readonly name: string };
    readonly secretRef?: { readonly name: string };
  }[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: {
      readonly configMapKeyRef?: { readonly name: string; readonly key: string };
    };
  }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  };
  readonly resources?: { readonly requests?: Labels; readonly limits?: Labels };
  readonly volumeMounts?: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly readOnly?: boolean;
  }[];
}

export interface PodSpec {
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean;
    readonly runAsUser?: number;
    readonly fsGroup?: number;
    readonly seccompProfile?: { readonly type: string };
  };
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes?: readonly {
    readonly name: string;
    readonly secret?: { readonly secretName: string; readonly defaultMode?: number };
    readonly configMap?: { readonly name: string };
  }[];
}

interface Template {
  readonly metadata: { readonly labels: Labels };
  readonly spec: PodSpec;
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Labels;
  readonly spec?: {
    readonly template?: Template;
    readonly jobTemplate?: { readonly spec: { readonly template: Template } };
    /** Of a Service the labels themselves, of everything else a table of them. */
    readonly selector?: Readonly<Record<string, string | Labels>>;
    readonly ports?: readonly {
      readonly name: string;
      readonly port: number;
      readonly targetPort: string;
    }[];
    readonly maxUnavailable?: number;
  };
}

/** A pod that a manifest makes, and where it stands. */
export interface Pod {
  readonly place: string;
  readonly labels: Labels;
  readonly spec: PodSpec;
}

const FOLDER = "deploy/kubernetes/";

/** Every document; throws where one could be read in two ways. */
export function readManifests(tree: Tree): Manifest[] {
  const files = [...tree].filter(([path]) => path.startsWith(FOLDER));
  return files.flatMap(([path, text]) =>
    // Kubernetes still reads YAML as 1.1 has it: 0440 is octal there, and `on` is true.
    parseAllDocuments(text, { version: "1.1" }).map((document): Manifest => {
      const [problem] = [...document.errors, ...document.warnings];
      if (problem !== undefined) throw new Error(`${path}: ${problem.message}`);
      return document.toJS();
    }),
  );
}

export function listPods(manifests: readonly Manifest[]): Pod[] {
  return manifests.flatMap(({ kind, metadata, spec }) => {
    const template = spec?.template ?? spec?.jobTemplate?.spec.template;
    if (template === undefined) return [];
    const { labels } = template.metadata;
    return [{ place: `${kind} ${metadata.name}`, labels, spec: template.spec }];
  });
}

export function listContainers({ spec }: Pod): Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers];
}

/** The value of an argument such as `--port=9080`. */
export function readArgument({ args = [] }: Container, flag: string): string | undefined {
  return args.find((each) => each.startsWith(`${flag}=`))?.slice(flag.length + 1);
}
