/** Debian's PgBouncer in front of the server of the tests, as a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "./scratch-database.test.data.ts";

export interface Bouncer {
  /** The address of the same database through the pooler. */
  readonly url: string;
  close(): Promise<void>;
}

export interface BouncerOptions {
  readonly mode: "session" | "transaction" | "statement";
  /** Connections that the pooler has to the server. */
  readonly size: number;
}

const PROGRAM = "/usr/sbin/pgbouncer";
const START_MS = 10_000;

export async function startBouncer(url: string, options: BouncerOptions): Promise<Bouncer> {
  const { hostname, port, username, pathname } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), "turnseal-bouncer-"));
  const own = await findPort();
  writeFileSync(join(folder, "users"), `"${username}" ""\n`);
  writeFileSync(
    join(folder, "config"),
    [
      "[databases]",
      `* = host=${hostname} port=${port || "5432"}`,
      "[pgbouncer]",
      `listen_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =`,
      `auth_type = trust\nauth_file = ${join(folder, "users")}`,
      `pool_mode = ${options.mode}\ndefault_pool_size = ${options.size}\nmax_client_conn = 1000`,
      "",
    ].join("\n"),
  );
  // The pooler refuses to be root, and the folder was made for its owner alone.
  chmodSync(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  const child = spawn(PROGRAM, [...(isRoot ? ["-u", "postgres"] : []), join(folder, "config")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said: string[] = [];
  child.stderr?.on("data", (chunk) => said.push(String(chunk)));
  const isGone = new Promise<void>((resume) => {
    child.once("exit", () => resume());
    child.once("error", (error) => {
      said.push(`${error.message}: apt-get install pgbouncer`);
      resume();
    });
  });
  const through = `postgres://${username}@127.0.0.1:${own}${pathname}`;
  const close = async (): Promise<void> => {
    child.kill("SIGKILL");
    await isGone;
    rmSync(folder, { recursive: true });
  };
  if (await waitUntilUp(through, child)) return { url: through, close };
  await close();
  throw new Error(`PgBouncer did not start: ${said.join("")}`);
}

async function waitUntilUp(url: string, child: ChildProcess): Promise<boolean> {
  const endMs = Date.now() + START_MS;
  while (Date.now() < endMs && child.exitCode === null && child.pid !== undefined) {
    const session = await connect(url).catch(() => undefined);
    if (session !== undefined) {
      await session.close();
      return true;
    }
    await new Promise((resume) => setTimeout(resume, 50));
  }
  return false;
}

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume));
  const address = server.address();
  await new Promise((resume) => server.close(resume));
  if (typeof address !== "object" || address === null) throw new Error("no port is free");
  return address.port;
}
