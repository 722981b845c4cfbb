export type { FileRef } from "@turnseal/protocol/files";
export {
  createSessionClient,
  type SessionClient,
  type SessionView,
} from "./create-session-client.ts";
export type { OpenRequest, SessionItem, ToolItem } from "./session/session-state.ts";
