/** Sends notifications about failing jobs. */
export {
  dingtalkHandler,
  emailHandler,
  errorHandlers,
  errorHandlersDefaults,
  type ErrorHandlersOptions,
  slackHandler,
  webhookHandler,
  wechatHandler,
} from './error-handlers.ts'
export { errorCodes, NotificationError, type NotificationErrorCode } from './errors.ts'
