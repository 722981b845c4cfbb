/** Folders that runs manage files of, with the hands of somebody else in them. */
import {
  type AdoptAsked,
  type OtherHands,
  parseAdopt,
  parseFiles,
  parseOfRun,
  parseReconcile,
  type ReconcileAsked,
} from "@turnseal/conformance/program";
import type { RunProjection } from "@turnseal/folds";
import {
  type FileAnswerEnd,
  findAnswerEnd,
  openDriftFinder,
  planAdoption,
  planReconciliation,
  readRun,
  settleFiles,
  tellAdoption,
  tellReconciliation,
} from "@turnseal/host";
import {
  type Clock,
  type InboxMessage,
  memoryRoot,
  type Roots,
  randomIds,
  type Stores,
} from "@turnseal/ports";
import { hmacSha256Hex, invariant } from "@turnseal/protocol";

type Answer = Readonly<Record<string, unknown>>;
type Method = (params: unknown) => Promise<Answer>;

/** The roots that every program has bound; no other is. */
const ROOTS = ["site", "docs"] as const;

interface BenchFolder {
  readonly bind: Roots[string];
  act(by: OtherHands): void;
  /** The text of each path, null for what is no file, and whether there was an event since. */
  look(): Promise<Answer>;
}

export interface FileBench {
  readonly roots: Roots;
  /** Makes the methods about files, over the stores of that moment. */
  methods(stores: () => Stores): Readonly<Record<string, Method>>;
}

export function createFileBench(clock: Clock): FileBench {
  const folders = new Map(ROOTS.map((name) => [name as string, createFolder()]));
  const roots = Object.fromEntries([...folders].map(([name, { bind }]) => [name, bind]));
  const folderOf = (name: string): BenchFolder => {
    const folder = folders.get(name);
    invariant(folder !== undefined, `the root ${name} is not bound`);
    return folder;
  };
  // The last message, to be sent again.
  let said: InboxMessage | undefined;
  return {
    roots,
    methods: (stores) => {
      const take = async (asked: ReconcileAsked | AdoptAsked): Promise<Answer> => {
        invariant(said !== undefined, "a word was said");
        const { run, by = "ada", repeat } = asked;
        if (repeat === true) {
          const body = { ...said.body, by: { id: by, roles: [] } };
          said = { ...said, key: `${said.key}:again`, body };
          await stores().inbox.put(said);
        }
        folderOf(asked.root).act(asked.meanwhile ?? {});
        await settleFiles(run, { stores: stores(), clock, ids: randomIds, roots });
        return describeEnd(await findAnswerEnd({ run, key: said.key, at: 0 }, stores()));
      };
      const put = async (message: InboxMessage) => {
        said = message;
        return stores().inbox.put(message);
      };
      return {
        files: async (params) => {
          const { root, by } = parseFiles(params, "files");
          if (by !== undefined) folderOf(root).act(by);
          return folderOf(root).look();
        },
        drift: async (params) => describeDrift(parseOfRun(params, "drift").run, stores(), roots),
        reconcile: async (params) => {
          const asked = parseReconcile(params, "reconcile");
          if (asked.repeat !== true) {
            const refusal = await sayReconciliation(asked, { stores: stores(), roots, put });
            if (refusal !== undefined) return refusal;
          }
          return take(asked);
        },
        adopt: async (params) => {
          const asked = parseAdopt(params, "adopt");
          if (asked.repeat !== true) {
            const refusal = await sayAdoption(asked, { stores: stores(), roots, put });
            if (refusal !== undefined) return refusal;
          }
          return take(asked);
        },
      };
    },
  };
}

function createFolder(): BenchFolder {
  let key: Uint8Array = new Uint8Array();
  let isTold = false;
  const { root, files } = memoryRoot(() => {
    const parts: Uint8Array[] = [];
    return {
      update: (part) => parts.push(Uint8Array.from(part)),
      digest: () => `hmac-sha256:${hmacSha256Hex(key, Buffer.concat(parts))}`,
    };
  });
  void root.watch(() => {
    isTold = true;
  });
  return {
    bind: (ofRun) => {
      key = Uint8Array.from(ofRun);
      return root;
    },
    act: ({ put = {}, modes = {}, remove = [], link = [] }) => {
      for (const [path, text] of Object.entries(put))
        files.put(path, new TextEncoder().encode(text), modes[path]);
      for (const path of remove) files.remove(path);
      for (const path of link) files.link(path);
    },
    look: async () => {
      const scan = await root.scan({ folders: [""] });
      const texts: Record<string, string | null> = {};
      for (const { path } of scan.kind === "scanned" ? scan.entries : []) {
        const read = await root.read(path);
        texts[path] = read.kind === "read" ? new TextDecoder().decode(read.bytes) : null;
      }
      const told = isTold;
      isTold = false;
      return { texts, paths: Object.keys(texts).sort(), told };
    },
  };
}

async function describeDrift(run: string, stores: Stores, roots: Roots): Promise<Answer> {
  const { artifacts = {} } = await stateOf(run, stores);
  const found = await openDriftFinder(run, { stores, roots }).find(artifacts);
  return {
    roots: found.map((root) => ({
      root: root.root,
      files: root.files,
      drifts:
        root.kind === "looked" ? root.drifts.map(({ kind, path }) => `${kind} ${path}`) : root.why,
    })),
  };
}

interface SayPorts {
  readonly stores: Stores;
  readonly roots: Roots;
  readonly put: Stores["inbox"]["put"];
}

async function sayReconciliation(
  { run, root, way, sides = {}, by = "ada" }: ReconcileAsked,
  { stores, roots, put }: SayPorts,
): Promise<Answer | undefined> {
  const request = { root, way, sides: new Map(Object.entries(sides)) };
  const plan = await planReconciliation(await stateOf(run, stores), request, { stores, roots });
  if (plan.kind === "agreed") return { kind: "agreed" };
  if (plan.kind === "unknown") return { kind: "refused", why: plan.why };
  if (plan.kind === "refused") return describeProblems(plan.problems);
  await tellReconciliation(run, { ...plan, by: { id: by, roles: [] } }, { stores, put });
  return undefined;
}

async function sayAdoption(
  { run, root, paths, by = "ada" }: AdoptAsked,
  { stores, roots, put }: SayPorts,
): Promise<Answer | undefined> {
  const plan = await planAdoption(await stateOf(run, stores), { root, paths }, { stores, roots });
  if (plan.kind === "unknown") return { kind: "refused", why: plan.why };
  if (plan.kind === "refused") return describeProblems(plan.problems);
  await tellAdoption(run, { ...plan, by: { id: by, roles: [] } }, { stores, put });
  return undefined;
}

async function stateOf(run: string, stores: Stores): Promise<RunProjection> {
  const projection = await readRun(stores, run);
  invariant(projection !== undefined, "the run is there");
  return projection;
}

function describeProblems(
  problems: readonly { readonly path: string; readonly why: string }[],
): Answer {
  return { kind: "refused", problems: problems.map(({ path, why }) => `${path}: ${why}`) };
}

function describeEnd(end: FileAnswerEnd): Answer {
  if (end.kind !== "done") return { ...end };
  const { event } = end;
  if (event.type === "artifact.adopted")
    return { kind: "adopted", files: event.content.artifacts.changed };
  const { files, left = 0 } = event.content;
  return { kind: "reconciled", files, left };
}
