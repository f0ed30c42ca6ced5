/** Tells people of jobs that fail. */
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
export { errorCodes, NoticeError, type NoticeErrorCode } from './errors.ts'
