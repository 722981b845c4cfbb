/** The commands about the servers of a project: what each takes. */
import { type Command, Option } from "commander";
import { act, type CommandParts } from "../terminal/command-parts.ts";
import { STORE } from "../terminal/options.ts";

const FILE = ["--file <file>", "the file of servers", "loops/mcp.toml"] as const;
const SERVER = ["<server>", "a server of the file"] as const;
const PROFILES = ["read-only", "workspace-write", "unrestricted"];

/** Adds `mcp add`, `mcp list`, `mcp pin`, `mcp diff` and `mcp call`. */
export function addMcpCommands(program: Command, parts: CommandParts): void {
  const mcp = program.command("mcp").description("use the tools of MCP servers, as reviewed");
  addAdd(mcp, parts);
  mcp
    .command("list")
    .description("show the servers of the project and their pinned tools; starts none of them")
    .option(...FILE)
    .option("--json", "print one JSON report")
    .action(act(parts, async () => (await import("./run-mcp-list.ts")).runMcpList));
  mcp
    .command("pin")
    .description("ask a server for its tools, show them, and pin what was shown")
    .argument(...SERVER)
    .option("--digest <digest>", "pin exactly this: the whole digest that was shown")
    .option(...FILE)
    .action(act(parts, async () => (await import("./run-mcp-pin.ts")).runMcpPin));
  mcp
    .command("diff")
    .description("ask a server for its tools, and show what is not as pinned")
    .argument(...SERVER)
    .option(...FILE)
    .action(act(parts, async () => (await import("./run-mcp-diff.ts")).runMcpDiff));
  addCall(mcp, parts);
}

function addAdd(mcp: Command, parts: CommandParts): void {
  mcp
    .command("add")
    .description("add a server to the file; it is neither started nor pinned")
    .argument("<name>", "its name: the tools are mcp.<name>.<tool>")
    .argument("[command...]", "the command that starts it, after --")
    .option("--url <url>", "its address, in place of a command")
    .option("--folder <folder>", "the folder that it sees as /workspace (default: an empty one)")
    .addOption(new Option("--profile <profile>", "how it is held").choices(PROFILES))
    .option("--readable <paths...>", "more folders that it may read, such as ./node_modules")
    .option(...FILE)
    .action(act(parts, async () => (await import("./run-mcp-add.ts")).runMcpAdd));
}

function addCall(mcp: Command, parts: CommandParts): void {
  mcp
    .command("call")
    .description("call one tool in a run of its own, with the grant of this one call")
    .argument(...SERVER)
    .argument("<tool>", "its name on the server")
    .option("--input <json>", "the input (default: {})")
    .option("--input-file <file>", "read the input from a file, or from standard input with -")
    .option(...FILE)
    .option(...STORE)
    .option("--json", "print one JSON result")
    .action(act(parts, async () => (await import("./run-mcp-call.ts")).runMcpCall));
}
