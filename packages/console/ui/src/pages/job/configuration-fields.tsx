/** The fields of a configuration, in groups. */
import type { ComponentChildren, VNode } from 'preact'

import type { Problem } from '../../../../src/contract/common.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../components/button.tsx'
import { CheckField, TextField } from '../../components/field.tsx'
import { Moment } from '../../components/moment.tsx'
import { language, t } from '../../i18n/i18n.ts'
import { messageText } from '../../i18n/message-text.ts'
import { useResource } from '../../state/resource.ts'
import { cronText } from '../../text/cron-text.ts'
import { type ActionPlan, type FlagKey, numberKeys, type NumberKey, type TextKey } from './draft.ts'

interface FieldsProps {
  readonly actionPlan: ActionPlan
  readonly problems: readonly Problem[]
  readonly disabled: boolean
  readonly onChange: (actionPlan: ActionPlan) => void
}

const strategies = [
  'AVG_ALLOCATION',
  'ODEVITY',
  'ROUND_ROBIN',
  'SINGLE_SHARDING_BALANCE',
  'STICKY',
  'SPREAD',
]
const handlers = ['LOG', 'THROW', 'IGNORE', 'EMAIL', 'DINGTALK', 'WECHAT', 'SLACK', 'WEBHOOK']
const pools = ['CPU', 'SINGLE_THREAD']
const previewed = 5

export function ConfigurationFields(props: FieldsProps): VNode {
  const { actionPlan, problems, disabled, onChange } = props
  const error = (key: string): string | undefined => {
    const problem = problems.find((each) => each.key === key || each.key === `changes.${key}`)
    return problem && messageText(problem.messageParts, problem.message)
  }
  const text = (
    key: TextKey | NumberKey,
    more: {
      lines?: number
      mono?: boolean
      list?: readonly string[]
      hint?: ComponentChildren
    } = {},
  ): VNode => (
    <TextField
      label={t(`key.${key}`)}
      name={key}
      type={numberKeys.some((each) => each === key) ? 'number' : 'text'}
      hint={t(`key.${key}.hint`)}
      value={actionPlan.texts[key]}
      error={error(key)}
      disabled={disabled}
      onInput={(value) => onChange({ ...actionPlan, texts: { ...actionPlan.texts, [key]: value } })}
      {...more}
    />
  )
  const flag = (key: FlagKey): VNode => (
    <CheckField
      label={t(`key.${key}`)}
      name={key}
      hint={t(`key.${key}.hint`)}
      error={error(key)}
      checked={actionPlan.flags[key]}
      disabled={disabled}
      onChange={(value) =>
        onChange({ ...actionPlan, flags: { ...actionPlan.flags, [key]: value } })
      }
    />
  )
  return (
    <>
      <Group title={t('group.schedule')}>
        {text('cron', { mono: true, hint: <CronHint {...actionPlan.texts} /> })}
        {text('timeZone', { list: Intl.supportedValuesOf('timeZone') })}
        {flag('misfire')}
      </Group>
      <Group title={t('group.sharding')}>
        {text('shardingTotalCount')}
        {text('jobShardingStrategyType', { list: strategies })}
        {text('shardingItemParameters', { lines: 3, mono: true })}
        {flag('staticSharding')}
      </Group>
      <Group title={t('group.execution')}>
        {text('jobParameter')}
        {text('jobExecutorThreadPoolSizeProviderType', { list: pools })}
        {flag('monitorExecution')}
        {flag('failover')}
        {text('maxTimeDiffSeconds')}
        {text('reconcileIntervalMinutes')}
      </Group>
      <Group title={t('group.around')}>
        {text('jobErrorHandlerType', { list: handlers })}
        <TextField
          label={t('key.jobListenerTypes')}
          hint={t('key.jobListenerTypes.hint')}
          name="jobListenerTypes"
          value={actionPlan.listeners}
          error={error('jobListenerTypes')}
          disabled={disabled}
          onInput={(listeners) => onChange({ ...actionPlan, listeners })}
        />
        {text('description', { lines: 2 })}
        {text('label')}
        {flag('disabled')}
        {flag('overwrite')}
      </Group>
      <Group title={t('group.props')}>
        <Props {...props} />
        {error('props') !== undefined && <p class="field-error">{error('props')}</p>}
      </Group>
      <Leftover problems={problems} />
    </>
  )
}

function Group(props: { readonly title: string; readonly children: ComponentChildren }): VNode {
  return (
    <fieldset class="card group">
      <legend>{props.title}</legend>
      <div class="group-fields">{props.children}</div>
    </fieldset>
  )
}

/** Shows problems of keys that have no field. */
function Leftover({ problems }: { readonly problems: readonly Problem[] }): VNode | null {
  const others = problems.filter(({ key }) => {
    const name = key.replace(/^changes\./u, '')
    return document.getElementsByName(name).length === 0 && name !== 'props'
  })
  if (others.length === 0) return null
  return (
    <ul class="notice bad" role="alert">
      {others.map(({ key, messageParts, message }) => (
        <li class="hostile">
          {key} {messageText(messageParts, message)}
        </li>
      ))}
    </ul>
  )
}

/** Describes the expression and its next fire times while it is typed. */
function CronHint({ cron, timeZone }: ActionPlan['texts']): VNode {
  const { data } = useResource(cron === '' ? undefined : `cron ${cron} ${timeZone}`, (signal) =>
    call('previewCron', {
      query: {
        expression: cron,
        count: previewed,
        ...(timeZone === '' ? {} : { timeZone }),
      },
      signal,
    }),
  )
  if (cron === '') return <>{t('key.cron.hint')}</>
  if (data === undefined) return <>…</>
  if (data.problem !== undefined) {
    const { message, messageParts } = data.problem
    return <span class="bad-ink hostile">{messageText(messageParts, message)}</span>
  }
  return (
    <>
      <strong>{cronText(cron, data.words, language.value)}</strong>
      <ol class="fires">
        {data.fires.map((at) => (
          <li key={at}>
            <Moment at={at} zone={timeZone === '' ? undefined : timeZone} />
          </li>
        ))}
      </ol>
      {data.fires.length === 0 && t('cron.never')}
    </>
  )
}

function Props({ actionPlan, disabled, onChange }: FieldsProps): VNode {
  const set = (props: ActionPlan['props']): void => onChange({ ...actionPlan, props })
  return (
    <div class="props">
      {actionPlan.props.map(({ key, value }, index) => (
        <div class="prop" key={index}>
          <TextField
            label={t('props.key', { n: index + 1 })}
            hideLabel
            mono
            placeholder={t('props.name')}
            value={key}
            disabled={disabled}
            onInput={(next) => set(actionPlan.props.with(index, { key: next, value }))}
          />
          <TextField
            label={t('props.value', { n: index + 1 })}
            hideLabel
            mono
            placeholder={t('props.text')}
            value={value}
            disabled={disabled}
            onInput={(next) => set(actionPlan.props.with(index, { key, value: next }))}
          />
          {!disabled && (
            <Button
              kind="quiet"
              icon="remove"
              label={t('props.remove', { name: key })}
              onClick={() => set(actionPlan.props.toSpliced(index, 1))}
            />
          )}
        </div>
      ))}
      {actionPlan.props.length === 0 && <p class="faint">{t('props.none')}</p>}
      {!disabled && (
        <Button icon="plus" onClick={() => set([...actionPlan.props, { key: '', value: '' }])}>
          {t('props.add')}
        </Button>
      )}
    </div>
  )
}
