export { type AiSdkToolLike, type FromAiSdkOptions, fromAiSdkTool } from "./from-ai-sdk-tool.ts";
