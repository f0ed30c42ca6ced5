/** A web console to observe and operate the jobs of a registry. */
export { type EndpointName, endpoints } from './contract/endpoints.ts'
export {
  type AnswerOf,
  type BodyOf,
  type ParamsOf,
  type QueryOf,
  routes,
} from './contract/routes.ts'
export { ConsoleError, type ConsoleErrorCode, errorCodes, isConsoleError } from './errors.ts'
export type { NamedSource } from './server/connections/data-sources.ts'
export type { NamedRegistry } from './server/connections/registries.ts'
export { type Console, createConsole } from './server/console.ts'
export {
  consoleDefaults,
  type ConsoleOptions,
  type ListenOptions,
} from './server/console-options.ts'
export { openApi } from './server/openapi.ts'
export { type RunningConsole, startConsole } from './server/start-console.ts'
