/**
 * The files that a run manages under one root, as pages of its content.
 *
 * 1. Equal files give equal pages, after any history: one digest identifies all managed files.
 * 2. A change costs the page that the file is in, and the first page: what stays is named again and
 *    not written again.
 * 3. In which page a file is follows from its path and from the number of files, and from nothing
 *    else.
 */
import { isPlainObject, type JsonObject, type JsonValue } from "../canonical-json.ts";
import type { BlobRef, ContentDigest } from "../log/blob-ref.ts";
import { sha256Hex } from "../sha256.ts";
import { hasOnly, isCount, isCountWithin, isListOf, isText } from "../shape.ts";
import { FILE_MODE_MAX, type FileState } from "./artifact.ts";
import { findPathFault } from "./artifact-path.ts";
import type { RecordedFile } from "./classify-drift.ts";

/** The reference that events hold: the first page, and the number of files. */
export interface ManagedRef {
  readonly page: BlobRef;
  readonly files: number;
}

/** Some of the pages, as they are needed. */
export interface ManagedPages {
  readonly files: number;
  /** Pages with files, by their place. */
  readonly pages: ReadonlyMap<number, ManagedPage>;
}

/** Named, with its files, or both. */
export interface ManagedPage {
  readonly ref?: BlobRef;
  readonly files?: readonly RecordedFile[];
}

/** The new state of files; null removes one. */
export type ManagedChanges = ReadonlyMap<string, FileState | null>;

/** One file that changed, as the record of a change lists it. */
export interface ManagedChange {
  readonly path: string;
  readonly before?: FileState;
  readonly after?: FileState;
}

export interface ChangedFiles<Sealed> {
  readonly managed: ManagedPages;
  /** Undefined if nothing is managed any more. */
  readonly ref?: ManagedRef;
  /** In the order of paths; empty where everything is as it was. */
  readonly changes: readonly ManagedChange[];
  /** Pages that are new. */
  readonly sealed: readonly Sealed[];
}

export const NOTHING_MANAGED: ManagedPages = { files: 0, pages: new Map() };

/** Files up to which there is one page, and up to which there are sixteen. */
const ONE_PAGE_MAX = 64;
const FEW_PAGES_MAX = 1_024;

/** How many pages files are spread over. */
export function countPages(files: number): 1 | 16 | 256 {
  if (files <= ONE_PAGE_MAX) return 1;
  return files <= FEW_PAGES_MAX ? 16 : 256;
}

/** The place of the page that a file is in. */
function pageOf(path: string, files: number): number {
  const pages = countPages(files);
  if (pages === 1) return 0;
  return Number.parseInt(sha256Hex(path).slice(0, pages === 16 ? 1 : 2), 16);
}

type ReadContent = (reference: BlobRef) => Promise<JsonValue>;

/** Reads the first page. Throws for what is none. */
export async function openManaged(
  named: ManagedRef | undefined,
  read: ReadContent,
): Promise<ManagedPages> {
  if (named === undefined) return NOTHING_MANAGED;
  const { page: ref, files } = named;
  const value = await read(ref);
  if (countPages(files) === 1) return { files, pages: new Map([[0, { ref, ...readPage(value) }]]) };
  const { pages } = isFirstPage(value) ? value : refusePage();
  return { files, pages: new Map(pages.map(({ at, page }) => [at, { ref: page }])) };
}

/** Reads the pages that files are in, or all. */
export async function loadManaged(
  managed: ManagedPages,
  paths: Iterable<string> | "all",
  read: ReadContent,
): Promise<ManagedPages> {
  const { files } = managed;
  const wanted =
    paths === "all" ? managed.pages.keys() : [...paths].map((path) => pageOf(path, files));
  const lacking = [...new Set(wanted)].flatMap((at) => {
    const page = managed.pages.get(at);
    return page?.ref === undefined || page.files !== undefined ? [] : [{ at, ref: page.ref }];
  });
  if (lacking.length === 0) return managed;
  const pages = new Map(managed.pages);
  for (const { at, ref } of lacking) pages.set(at, { ref, ...readPage(await read(ref)) });
  return { files, pages };
}

/** The record of a file; undefined if there is none. Its page must have been loaded. */
export function findManaged(managed: ManagedPages, path: string): FileState | undefined {
  const found = filesOf(managed, pageOf(path, managed.files)).find((file) => file.path === path);
  return found === undefined ? undefined : stateOf(found);
}

/** Every file, in the order of paths. All pages must have been loaded. */
export function listManaged(managed: ManagedPages): readonly RecordedFile[] {
  return [...managed.pages.keys()].flatMap((at) => filesOf(managed, at)).sort(byPath);
}

/**
 * Returns the managed files after changes. The pages of changed files must have been loaded; all of
 * them if the number of pages changes.
 */
export function changeManaged<Sealed extends BlobRef>(
  managed: ManagedPages,
  changes: ManagedChanges,
  seal: (page: JsonObject) => Sealed,
): ChangedFiles<Sealed> {
  const made = [...changes].flatMap(([path, after]): ManagedChange[] => {
    const before = findManaged(managed, path);
    if (after === null) return before === undefined ? [] : [{ path, before }];
    if (before === undefined) return [{ path, after: stateOf(after) }];
    return isSameState(before, after) ? [] : [{ path, before, after: stateOf(after) }];
  });
  const grown = made.filter(({ before }) => before === undefined).length;
  const files = managed.files + grown - made.filter(({ after }) => after === undefined).length;
  const isSpreadAnew = countPages(files) !== countPages(managed.files);
  const rest = isSpreadAnew ? spread(listManaged(managed), files) : managed.pages;
  const sealed: Sealed[] = [];
  const keep = (page: JsonObject): BlobRef => {
    const blob = seal(page);
    sealed.push(blob);
    const { digest, size, mediaType } = blob;
    return { digest, size, mediaType };
  };
  const pages = applyChanges({ files, pages: rest }, made, keep);
  const sorted = made.sort(byPath);
  const after = { files, pages };
  if (files === 0) return { managed: NOTHING_MANAGED, changes: sorted, sealed };
  return { managed: after, ref: { page: nameAll(after, keep), files }, changes: sorted, sealed };
}

/** Files over their pages, before any page has a name. */
function spread(all: readonly RecordedFile[], files: number): ReadonlyMap<number, ManagedPage> {
  const pages = new Map<number, RecordedFile[]>();
  for (const file of all) {
    const at = pageOf(file.path, files);
    const page = pages.get(at);
    if (page === undefined) pages.set(at, [file]);
    else page.push(file);
  }
  return new Map([...pages].map(([at, found]) => [at, { files: found }]));
}

/** The pages with changes in them, each named. */
function applyChanges(
  managed: ManagedPages,
  made: readonly ManagedChange[],
  keep: (page: JsonObject) => BlobRef,
): ReadonlyMap<number, ManagedPage> {
  const touched = new Map<number, Map<string, ManagedChange>>();
  for (const change of made) {
    const at = pageOf(change.path, managed.files);
    const page = touched.get(at) ?? new Map<string, ManagedChange>();
    touched.set(at, page.set(change.path, change));
  }
  const pages = new Map(managed.pages);
  for (const [at, changes] of touched) {
    const kept = filesOf(managed, at).filter(({ path }) => !changes.has(path));
    const fresh = [...changes.values()].flatMap(({ path, after }) =>
      after === undefined ? [] : [{ path, ...after }],
    );
    const files = [...kept, ...fresh].sort(byPath);
    if (files.length === 0) pages.delete(at);
    else pages.set(at, { files });
  }
  for (const [at, { ref, files = [] }] of pages)
    if (ref === undefined) pages.set(at, { ref: keep({ files: files.map(toJson) }), files });
  return pages;
}

/** The page that names the others; where there is one alone, that. */
function nameAll({ files, pages }: ManagedPages, keep: (page: JsonObject) => BlobRef): BlobRef {
  const named = [...pages].flatMap(([at, { ref }]) =>
    ref === undefined ? [] : [{ at, page: ref }],
  );
  const [first] = named;
  if (countPages(files) === 1 && first !== undefined) return first.page;
  const sorted = named.sort((one, other) => one.at - other.at);
  return keep({ pages: sorted.map(({ at, page }) => ({ at, page: { ...page } })) });
}

function filesOf({ pages }: ManagedPages, at: number): readonly RecordedFile[] {
  const page = pages.get(at);
  if (page === undefined) return [];
  if (page.files === undefined) throw new RangeError("a page of managed files was not loaded");
  return page.files;
}

function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path < other.path ? -1 : 1;
}

function stateOf({ digest, bytes, mode }: FileState): FileState {
  return mode === undefined ? { digest, bytes } : { digest, bytes, mode };
}

function isSameState(one: FileState, other: FileState): boolean {
  return one.digest === other.digest && one.bytes === other.bytes && one.mode === other.mode;
}

function toJson({ path, ...state }: RecordedFile): JsonObject {
  return { path, ...stateOf(state) };
}

const isContentDigest = (value: unknown): value is ContentDigest =>
  typeof value === "string" && /^hmac-sha256:[0-9a-f]{64}$/.test(value);
const isRef = hasOnly({ digest: isContentDigest, size: isCount, mediaType: isText });
const isRecordedFile = hasOnly(
  {
    path: (value): value is string =>
      typeof value === "string" && findPathFault(value) === undefined,
    digest: isContentDigest,
    bytes: isCount,
  },
  { mode: isCountWithin({ least: 0, most: FILE_MODE_MAX }) },
);
const isFilePage = hasOnly({ files: isListOf(isRecordedFile) });
const isFirstPage = hasOnly({
  pages: isListOf(hasOnly({ at: isCountWithin({ least: 0, most: 255 }), page: isRef })),
});

function readPage(value: JsonValue): { readonly files: readonly RecordedFile[] } {
  return isPlainObject(value) && isFilePage(value) ? value : refusePage();
}

function refusePage(): never {
  throw new RangeError("a page of managed files is not of the stated shape");
}

/** The managed files of a run, by the name of the root. */
export type ManagedRoots = Readonly<Record<string, ManagedRef>>;
