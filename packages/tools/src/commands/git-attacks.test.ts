// Hostile repositories and arguments for git: it executes no program that a repository names.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
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

  test("a repository inside of it", async () => {
    mkdirSync(at("inner"));
    const inner = (...args: string[]) => execFileSync("git", args, { cwd: at("inner") });
    inner("init", "--quiet");
    const who = ["-c", "user.name=a", "-c", "user.email=a@b"];
    inner(...who, "commit", "--quiet", "--allow-empty", "--message", "x");
    git("-c", "advice.addEmbeddedRepo=false", "add", "inner");
    inner("config", "core.fsmonitor", EVIL);
    inner("config", "filter.evil.clean", EVIL);
    writeFileSync(at("inner/.gitattributes"), "* filter=evil\n");
    writeFileSync(at("inner/b"), "b");
    const { told } = await open().work(...work);
    expect(told).toMatchObject(work.map(() => ({ exit: 0 })));
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
