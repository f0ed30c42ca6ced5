/**
 * The exports of core for the other packages of this repository. Applications do not import it: any export can change
 * or disappear in any version.
 */
export { systemClock } from './clock.ts'
export { millisecondsOf } from './config/duration.ts'
export { readExtension } from './config/extension.ts'
export {
  maskConfiguration,
  maskTree,
  maskYaml,
  restoreSecrets,
} from './config/mask-configuration.ts'
export { readJob as readStoredJob } from './config/read-job.ts'
export { problem } from './errors.ts'
export { maskedLogger } from './logger.ts'
export { coreTexts, type MessageFactory, messageFactory } from './message.ts'
export { problemOfPath } from './node-path.ts'
export { findingOfConnection } from './operations/diagnosis/absence.ts'
export { systemRandom } from './random.ts'
export { maskText, maskTexts } from './secrets.ts'
export { detailsOf, messageOf, stackOf, summaryOf } from './thrown.ts'
