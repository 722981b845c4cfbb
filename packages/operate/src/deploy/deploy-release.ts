/**
 * The steps of a deployment. The start of a worker does none of them.
 *
 * 1. A release is registered under what its workers say that they are, as the engine hears it: an
 *    address with another image is refused.
 * 2. Runs go to the promoted release, and from there to any release that has what they need.
 * 3. A release is not removed if unfinished runs need it, or if it is promoted meanwhile.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { RegisteredRelease } from "@turnseal/adapters/postgres";
import type { Release } from "@turnseal/host";
import type { JsonObject } from "@turnseal/protocol";
import { RELEASES_FRESH_MS, toRelease } from "@turnseal/runtime/folder";
import { countNeeding } from "./count-needing.ts";
import { type DeployPlace, type OpenedDeploy, openDeploy } from "./open-deploy.ts";

export type Deployed =
  | { readonly kind: "done"; readonly release: string; readonly uri: string }
  | { readonly kind: "refused"; readonly message: string; readonly next: string };

export interface ReleaseToRegister {
  readonly release: Release;
  /** Where its workers are, without a slash at the end. */
  readonly uri: string;
  /** True if the release at this address may be replaced, even if runs need it: for development. */
  readonly replaces?: boolean;
}

/** Makes a release known to the engine and to every worker. New runs do not go there yet. */
export async function registerRelease(
  { admin, book, peers }: OpenedDeploy,
  { release, uri, replaces = false }: ReleaseToRegister,
): Promise<Deployed> {
  const { name } = release;
  const place = peers.formatReleaseUri(uri, name);
  const services = await discover(admin, place);
  if (services === undefined) return refuseSilent(uri);
  const [found] = services.flatMap((service) => peers.parseReleaseService(service.name) ?? []);
  if (found !== name)
    return refuse(
      `the workers at ${uri} have release ${found ?? "without a name"}, and these loops are ${name}`,
      "deploy the image that was built from these loops, or give its loops with --from",
    );
  const others = (await book.list()).filter((other) => other.uri === uri && other.name !== name);
  for (const other of others) {
    const needed = replaces ? 0 : await countNeed(book, other);
    if (needed > 0)
      return refuse(
        `${uri} is the address of release ${other.name}, which ${runs(needed)} still need`,
        "give the workers of this release an address of their own",
      );
    await book.remove(other.name);
    if (!replaces) await wait(2 * RELEASES_FRESH_MS);
    await forget({ admin, peers }, [peers.formatReleaseUri(uri, other.name)]);
  }
  const listed = await book.list();
  // One more would be in no list: runs that need it would find it nowhere.
  if (listed.length >= peers.RELEASES_LIST_MAX && !listed.some((other) => other.name === name))
    return refuse(
      `${listed.length} releases are registered, and no more can be`,
      "turnseal deploy remove <a release that turnseal deploy status does not name as needed>",
    );
  // The engine first: what is in the book is called.
  await admin.add(place);
  await book.put({ name, uri, facts: release as unknown as JsonObject });
  return { kind: "done", release: name, uri };
}

/** Has every message go to this release first, from now on. */
export async function promoteRelease(
  { admin, book, peers }: OpenedDeploy,
  name: string,
): Promise<Deployed> {
  const known = await findKnown(book, name);
  if (known === undefined) return refuseUnknown(name);
  const { uri, facts } = known;
  const services = await discover(admin, uri);
  if (services === undefined) return refuseSilent(uri);
  const runs = services.find((service) => service.name === peers.RUN_OBJECT);
  const found = runs?.metadata[peers.RELEASE_METADATA];
  if (found !== name)
    return refuse(
      `the workers at ${uri} have release ${found ?? "without a name"} now, not ${name}`,
      "deploy the image of this release there, or turnseal deploy status",
    );
  await admin.add(peers.formatReleaseUri(uri, name));
  await admin.register(uri);
  // Last: a concurrent removal finds it promoted, or is undone by this.
  await book.put({ name, uri, facts }, "promoted");
  return { kind: "done", release: name, uri };
}

/** Moves runs that another release can drive, too, to that one. */
export async function drainRelease(
  { admin, book, peers }: OpenedDeploy,
  name: string,
): Promise<Deployed & { readonly needed?: number }> {
  const known = await findKnown(book, name);
  if (known === undefined) return refuseUnknown(name);
  if (await isPromoted({ admin, peers }, name)) return refusePromoted(name);
  await book.drain(name);
  return { kind: "done", release: name, uri: known.uri, needed: await countNeed(book, known) };
}

/** How long what a release executes may take to end, before its removal is put off. */
const QUIET_MS_MAX = 30_000;
const QUIET_EVERY_MS = 250;

/** Forgets a release that no unfinished run needs. Where it is refused, nothing is changed. */
export async function removeRelease(opened: OpenedDeploy, name: string): Promise<Deployed> {
  const { book } = opened;
  const known = await findKnown(book, name);
  if (known === undefined) return refuseUnknown(name);
  if (await isPromoted(opened, name)) return refusePromoted(name);
  // Most are refused for this, and the log of the deployment need not say that they drained.
  const needed = await countNeed(book, known);
  if (needed > 0) return refuseNeeded(name, needed);
  const removed = await removeDrained(opened, known);
  const isLeft = removed.kind === "refused" && !known.isDraining;
  const stays = isLeft ? await findKnown(book, name) : undefined;
  if (stays?.isDraining === true) await book.put(known);
  return removed;
}

async function removeDrained(opened: OpenedDeploy, known: RegisteredRelease): Promise<Deployed> {
  const { admin, book, peers } = opened;
  const { name } = known;
  const drained = await drainRelease(opened, name);
  if (drained.kind === "refused") return drained;
  const { uri, needed = 0 } = drained;
  if (needed > 0) return refuseNeeded(name, needed);
  const places = [peers.formatReleaseUri(uri, name), uri];
  if (!(await isQuiet(opened, places)))
    return refuse(`release ${name} still executes runs`, `turnseal deploy remove ${name}`);
  if (await isPromoted(opened, name)) return refusePromoted(name);
  if (!(await book.removeDrained(name))) return refuseWanted(name);
  // A call to what the engine does not know waits for ever: workers have to read this first.
  await wait(2 * RELEASES_FRESH_MS);
  if (!(await isQuiet(opened, places))) {
    await book.put(known);
    await book.drain(name);
    return refuse(`release ${name} still executes runs`, `turnseal deploy remove ${name}`);
  }
  const left = await book.list();
  if (left.some((other) => other.name === name)) return refuseWanted(name);
  const isShared = left.some((other) => other.uri === uri);
  await forget({ admin, peers }, isShared ? places.slice(0, 1) : places);
  return { kind: "done", release: name, uri };
}

export interface StartedWorker {
  readonly release: Release;
  readonly uri: string;
}

/**
 * Registers and promotes a worker of this process, and replaces the one at its address: for
 * development and tests. In production a pipeline does both, one after the other.
 */
export async function deployWorker(
  { release, uri }: StartedWorker,
  place: DeployPlace,
): Promise<void> {
  const opened = await openDeploy(place);
  try {
    for (const deploy of [
      () => registerRelease(opened, { release, uri, replaces: true }),
      () => promoteRelease(opened, release.name),
    ]) {
      const deployed = await deploy();
      if (deployed.kind === "refused") throw new Error(`${deployed.message}: ${deployed.next}`);
    }
  } finally {
    await opened.book.close();
  }
}

/** Lists the services at an address; undefined if the engine gets no answer there. */
async function discover(admin: OpenedDeploy["admin"], uri: string) {
  // An engine that is away itself is no fault of the address.
  await admin.listDeployments();
  return admin.discover(uri).catch(() => undefined);
}

async function countNeed(
  book: OpenedDeploy["book"],
  { name }: Pick<RegisteredRelease, "name">,
): Promise<number> {
  const { alone } = await countNeeding(book, (await book.list()).map(toRelease));
  return alone.get(name) ?? 0;
}

async function findKnown(
  book: OpenedDeploy["book"],
  name: string,
): Promise<RegisteredRelease | undefined> {
  return (await book.list()).find((release) => release.name === name);
}

async function isPromoted(
  { admin, peers }: Pick<OpenedDeploy, "admin" | "peers">,
  name: string,
): Promise<boolean> {
  const runs = await admin.findService(peers.RUN_OBJECT);
  return runs?.metadata[peers.RELEASE_METADATA] === name;
}

/** Waits until nothing is executed at these addresses. */
async function isQuiet({ admin }: OpenedDeploy, places: readonly string[]): Promise<boolean> {
  const ids = (await admin.listDeployments()).flatMap(({ id, uri }) =>
    places.includes(uri) ? [`'${id}'`] : [],
  );
  if (ids.length === 0) return true;
  const query = `select count(*) as busy from sys_invocation
    where pinned_deployment_id in (${ids.join(", ")}) and status <> 'completed'`;
  for (const endMs = Date.now() + QUIET_MS_MAX; Date.now() < endMs; ) {
    const [row] = await admin.query(query);
    if (Number(row?.["busy"]) === 0) return true;
    await wait(QUIET_EVERY_MS);
  }
  return false;
}

async function forget(
  { admin }: Pick<OpenedDeploy, "admin" | "peers">,
  places: readonly string[],
): Promise<void> {
  for (const { id, uri } of await admin.listDeployments())
    if (places.includes(uri)) await admin.remove(id);
}

function runs(count: number): string {
  return count === 1 ? "1 unfinished run" : `${count} unfinished runs`;
}

function refuse(message: string, next: string): Extract<Deployed, { kind: "refused" }> {
  return { kind: "refused", message, next };
}

function refuseSilent(uri: string): Deployed {
  return refuse(
    `the engine gets no answer from workers at ${uri}`,
    "start them there, with the public key of this engine as --identity-key",
  );
}

function refuseUnknown(name: string): Deployed {
  return refuse(`release ${name} is not registered`, "turnseal deploy status");
}

function refuseNeeded(name: string, needed: number): Deployed {
  return refuse(
    `release ${name} is the only one that ${runs(needed)} can go on with`,
    `keep its workers, and see turnseal deploy drain ${name}`,
  );
}

function refuseWanted(name: string): Deployed {
  return refuse(`release ${name} was registered or promoted meanwhile`, "turnseal deploy status");
}

function refusePromoted(name: string): Deployed {
  return refuse(`release ${name} is the promoted one`, "turnseal deploy promote <another release>");
}
