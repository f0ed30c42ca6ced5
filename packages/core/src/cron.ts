/** Cron expressions in Quartz's dialect: parse one, list its fire times, describe it. */
export { Cron, type CronOptions, parseCron } from './cron/cron.ts'
export { CronError, type CronFieldName } from './cron/cron-error.ts'
export { isJavaTimeZone } from './cron/zone-names.ts'
