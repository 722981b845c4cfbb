export { createChatTransport, type TurnsealChatTransport } from "./create-chat-transport.ts";
