// Hostile repositories and arguments for git: it executes no program that a repository names.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlace, openDesk, type Step } from "../agent-desk.test.data.ts";
import { bubblewrap } from "../sandbox/bubblewrap.ts";
import { grantTerms } from "../terms/grant-terms.ts";
import { gitTools } from "./git-tools.ts";

let place: ReturnType<typeof createPlace>;
const at = (path: string) => join(place.folder, path);
const git = (...args: string[]) => execFileSync("git", args, { cwd: place.folder });
beforeEach(() => {
  place = createPlace();
  chmodSync(join(place.folder, ".."), 0o755);
  git("init", "--quiet", "--initial-branch=main");
  writeFileSync(at("a.txt"), "one\n");
  git("add", "a.txt");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "first");
  writeFileSync(at("a.txt"), "two\n");
  writeFileSync(at("evil.sh"), "#!/bin/sh\ntouch /workspace/marked $TMPDIR/marked; cat\n");
  chmodSync(at("evil.sh"), 0o755);
});
afterEach(() => place.remove());

const author = { name: "Agent", email: "agent@example.com" };
const EVIL = "/workspace/evil.sh";
function open(sandbox = bubblewrap()) {
  const { folder } = place;
  if (process.getuid?.() === 0)
    execFileSync("chown", ["-R", "--no-dereference", "65534:65534", folder]);
  const tools = gitTools({ root: "w", folder, sandbox, author });
  const terms = [
    grantTerms.commands("w", { commands: ["git/*"] }),
    grantTerms.commands("w", { profile: "workspace-write", commands: ["git/commit"] }),
  ];
  return openDesk({ tools: Object.values(tools), terms, folder });
}
const call =
  (tool: string, input: object): Step =>
  () => ({ tool, input });
const work: readonly Step[] = [
  call("git.status", {}),
  call("git.diff", {}),
  call("git.diff", { staged: true }),
  call("git.commit", { message: "second", paths: ["a.txt"] }),
];

const settings: readonly (readonly [string, string])[] = [
  ["core.fsmonitor", EVIL],
  ["core.hooksPath", "/workspace/hooks"],
  ["core.pager", EVIL],
  ["core.editor", EVIL],
  ["core.sshCommand", EVIL],
  ["core.askPass", EVIL],
  ["diff.external", EVIL],
  ["diff.evil.command", EVIL],
  ["diff.evil.textconv", EVIL],
  ["gpg.program", EVIL],
  ["commit.gpgSign", "true"],
  ["sequence.editor", EVIL],
  ["credential.helper", EVIL],
  ["alias.status", `!${EVIL}`],
  ["alias.commit", `!${EVIL}`],
  ["pager.status", EVIL],
  ["pager.diff", EVIL],
  ["trailer.x.command", EVIL],
  ["merge.evil.driver", EVIL],
  ["interactive.diffFilter", EVIL],
  ["status.submoduleSummary", "true"],
  ["uploadpack.packObjectsHook", EVIL],
];

describe("a repository that names a program", () => {
  test.each(settings)("%s: git works, and does not execute it", async (key, value) => {
    git("config", key, value);
    writeFileSync(at(".gitattributes"), "* diff=evil merge=evil\n");
    mkdirSync(at("hooks"));
    for (const hook of ["pre-commit", "post-index-change", "commit-msg", "post-commit"])
      for (const folder of ["hooks", ".git/hooks"])
        writeFileSync(at(`${folder}/${hook}`), `#!/bin/sh\n${EVIL}\n`, { mode: 0o755 });
    const desk = open();
    const { run, told } = await desk.work(...work);
    expect(told).toMatchObject(work.map(() => ({ exit: 0 })));
    expect(existsSync(at("marked"))).toBe(false);
    expect(await desk.readSeal(run)).toEqual({ failed: 0, isSealed: true });
  });

  test.each(["clean", "process", "smudge"])("a filter, %s: git is refused", async (kind) => {
    writeFileSync(at(".gitattributes"), "* filter=evil\n");
    git("config", `filter.evil.${kind}`, EVIL);
    const desk = open();
    const { run, told } = await desk.work(...work);
    expect(told).toMatchObject(
      work.map(() => ({ exit: 1, stderr: expect.stringContaining("names a filter") })),
    );
    expect(existsSync(at("marked"))).toBe(false);
    expect(await desk.readSeal(run)).toEqual({ failed: 0, isSealed: true });
  });

  test("a filter in a file that the configuration includes", async () => {
    writeFileSync(at("more"), `[filter "evil"]\n\tclean = ${EVIL}\n`);
    git("config", "include.path", "../more");
    const { told } = await open().work(...work);
    expect(told).toMatchObject(work.map(() => ({ exit: 1 })));
    expect(existsSync(at("marked"))).toBe(false);
  });

  test("another folder as its files: only those of the workspace are seen", async () => {
    git("config", "core.worktree", "/etc");
    const { told } = await open().work(
      call("git.status", {}),
      call("git.commit", { message: "x", paths: ["passwd"] }),
      call("git.commit", { message: "x", paths: ["a.txt"] }),
    );
    expect(told).toMatchObject([
      { stdout: expect.stringContaining(" M a.txt") },
      { exit: expect.any(Number), stdout: "" },
      { exit: 0 },
    ]);
    expect(JSON.stringify(told)).not.toContain("passwd\\n");
  });

  test("`.git` as a link, or a file that names a place outside, gives nothing", async () => {
    execFileSync("mv", [at(".git"), join(place.outside, "git")]);
    symlinkSync(join(place.outside, "git"), at(".git"));
    const linked = await open().work(...work);
    expect(linked.told).toMatchObject(work.map(() => ({ error: "TOOL_FAILED" })));
    execFileSync("rm", [at(".git")]);
    writeFileSync(at(".git"), `gitdir: ${join(place.outside, "git")}\n`);
    const { told } = await open().work(...work);
    expect(told.map((each) => (each as { exit?: number }).exit)).not.toContain(0);
    expect(readdirSync(join(place.outside, "git"))).toContain("HEAD");
  });
});

/** A repository in this folder whose filter plants a hook in that of the workspace. */
function nest(folder: string): void {
  mkdirSync(at(folder), { recursive: true });
  const inner = (...args: string[]) => execFileSync("git", args, { cwd: at(folder) });
  inner("init", "--quiet");
  writeFileSync(at(`${folder}/f`), "x");
  writeFileSync(at(`${folder}/.gitattributes`), "* filter=evil\n");
  inner("add", ".");
  inner("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "x");
  inner("config", "core.fsmonitor", EVIL);
  inner("config", "filter.evil.clean", EVIL);
  writeFileSync(at(`${folder}/f`), "y");
  writeFileSync(at("evil.sh"), "#!/bin/sh\ntouch /workspace/marked /workspace/.git/hooks/x; cat\n");
}
const seesNothing = () => [at("marked"), at(".git/hooks/x")].every((path) => !existsSync(path));
const link = (...flags: string[]) =>
  git(...["-c", "advice.addEmbeddedRepo=false"], "add", ...flags, "inner");
const commitOf = (...paths: string[]) => call("git.commit", { message: "second", paths });

describe("a repository inside of it is refused, and executes nothing", () => {
  test("one that the index names, whatever the paths are", async () => {
    nest("inner");
    link();
    const { told } = await open().work(...work, commitOf("inner"), commitOf("inner/f"));
    const refused = { exit: 1, stderr: expect.stringContaining("repository of its own") };
    expect(told).toMatchObject(told.map(() => refused));
    expect([told.length, seesNothing()]).toEqual([work.length + 2, true]);
  });

  test("one that only the last commit names", async () => {
    nest("inner");
    link();
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "link");
    git("rm", "--quiet", "--cached", "inner");
    const { told } = await open().work(...work);
    expect(told).toMatchObject(work.map(() => ({ exit: 1 })));
    expect(seesNothing()).toBe(true);
  });

  test.each([
    ...["inner", "inner/", "./inner", "/workspace/inner", ".", "./", "inner/f", "deep", "deep/b/c"],
    ...["deep/b/c/f", "a.txt/../inner", "deep/../inner", "/workspace", "away/../inner"],
  ])("one at or below the path %s, which git does not know yet", async (path) => {
    nest("inner");
    nest("deep/b/c");
    symlinkSync("/tmp", at("away"));
    const diff = call("git.diff", { paths: [path] });
    const { told } = await open().work(commitOf("a.txt", path), diff, commitOf("a.txt"));
    expect(told).toMatchObject([{ exit: 1 }, { exit: 1 }, { exit: 0 }]);
    const names = git("-c", "safe.directory=*", "ls-files").toString();
    expect([names, seesNothing()]).toEqual(["a.txt\n", true]);
  });

  test("one that a command made between two commits", async () => {
    const { told } = await open().work(() => {
      nest("inner");
      return { tool: "git.commit", input: { message: "x", paths: ["inner"] } };
    }, commitOf("inner/f"));
    expect(told).toMatchObject([{ exit: 1 }, { exit: 1 }]);
    expect(seesNothing()).toBe(true);
  });
});

test("a commit in a folder below, of a deletion, and on a new branch, works", async () => {
  mkdirSync(at("src/deep"), { recursive: true });
  writeFileSync(at("src/deep/b.txt"), "b\n");
  git("config", "user.name", "other");
  git("checkout", "--quiet", "-b", "feature/new");
  const desk = open();
  const { told } = await desk.work(
    commitOf("src"),
    () => {
      rmSync(at("a.txt"));
      return { tool: "git.status", input: {} };
    },
    commitOf("a.txt"),
    commitOf("."),
  );
  expect(told).toMatchObject(told.map(() => ({ exit: 0 })));
  const names = git("-c", "safe.directory=*", "log", "--name-status", "--format=", "feature/new");
  expect(names.toString()).toBe("A\tevil.sh\nD\ta.txt\nA\tsrc/deep/b.txt\nA\ta.txt\n");
});

const paths = [
  ...["--force", "-A", "--pathspec-from-file=/etc/passwd", "--interactive", "--chmod=+x"],
  ...["../outside", "/etc/passwd", ".git/config", ":(top,exclude)a.txt", ":!a.txt", "no such file"],
];
test.each(paths)("the path %s names no option and no file outside", async (path) => {
  const desk = open();
  const { run, told } = await desk.work(
    call("git.commit", { message: "x", paths: [path] }),
    call("git.commit", { message: "--amend", paths: ["a.txt"] }),
  );
  expect(told[1]).toMatchObject({ exit: 0 });
  expect((told[0] as { exit: number }).exit).toBeGreaterThan(0);
  expect(git("-c", "safe.directory=*", "log", "--format=%s").toString()).toBe("--amend\nfirst\n");
  expect(await desk.readSeal(run)).toMatchObject({ isSealed: true });
});

test("a commit has its paths, and nothing that was staged before", async () => {
  writeFileSync(at("b.txt"), "b\n");
  git("add", "b.txt");
  const { told } = await open().work(call("git.commit", { message: "x", paths: ["a.txt"] }));
  expect(told).toMatchObject([{ exit: 0 }]);
  const names = git("-c", "safe.directory=*", "show", "--name-only", "--format=", "HEAD");
  expect(names.toString()).toBe("a.txt\n");
});

test("without a sandbox git does not run", async () => {
  const desk = open(bubblewrap({ program: "/no/bwrap" }));
  const { run, told } = await desk.work(...work);
  expect(told).toMatchObject(work.map(() => ({ error: "TOOL_FAILED" })));
  expect(await desk.readSeal(run)).toEqual({ failed: work.length, isSealed: true });
});
