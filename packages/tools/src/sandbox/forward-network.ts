/**
 * The start of a command that has a network. Node runs in the sandbox, takes connections on a port
 * of its own loopback, and passes their bytes to the socket of the proxy. It decides nothing.
 */

/** Folder of Node and of the socket in the sandbox. */
const PLACE = "/run/turnseal";
export const PROXY_NODE = `${PLACE}/node`;
export const PROXY_SOCKET = `${PLACE}/proxy`;
/** The network of a command is its own, and so is this port. */
const PORT = 3128;
const ADDRESS = `http://127.0.0.1:${PORT}`;

/** The variables by which programs find a proxy. */
const PROXY_ENV = {
  ...Object.fromEntries(
    ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [
      [name, ADDRESS],
      [name.toLowerCase(), ADDRESS],
    ]),
  ),
  ...{ NO_PROXY: "", no_proxy: "", NODE_USE_ENV_PROXY: "1" },
};

/** It ends as its command does. An operator's settings of Node are for the command alone. */
const FORWARDER = `
const { connect, createServer } = require("node:net");
const { spawn } = require("node:child_process");
const { pipeline } = require("node:stream");
const [file, ...args] = process.argv.slice(1);
const server = createServer({ allowHalfOpen: true }, (from) => {
  from.on("error", () => from.destroy());
  try {
    const to = connect({ path: ${JSON.stringify(PROXY_SOCKET)}, allowHalfOpen: true });
    to.on("error", () => to.destroy());
    const onEnd = (error) => { if (error) { from.destroy(); to.destroy(); } };
    pipeline(from, to, onEnd);
    pipeline(to, from, onEnd);
  } catch { from.destroy(); }
});
server.on("error", (error) => {
  if (server.listening) return;
  console.error("turnseal: the network could not start: " + error.code);
  process.exit(127);
});
server.listen(${PORT}, "127.0.0.1", () => {
  const env = { ...process.env, ...${JSON.stringify(PROXY_ENV)} };
  const child = spawn(file, args, { stdio: "inherit", env });
  child.on("error", (error) => {
    console.error(file + ": " + error.code);
    process.exit(127);
  });
  child.on("exit", (code, signal) => {
    process.exit(code ?? 128 + (require("node:os").constants.signals[signal] ?? 0));
  });
});
`;

/** The same command, started by the forwarder. */
export function forwardCommand(argv: readonly string[]): readonly string[] {
  return [PROXY_NODE, "-e", FORWARDER, "--", ...argv];
}
