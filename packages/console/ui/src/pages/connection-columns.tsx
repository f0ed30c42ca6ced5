/** The columns that the lists of registries and of data sources share. */
import type { VNode } from 'preact'

import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import type { Column } from '../components/data-table.tsx'
import { t } from '../i18n/i18n.ts'
import { mayAct } from '../state/session.ts'
import { printable } from '../text/printable.ts'
import { ForgetButton } from './forget-button.tsx'

interface Connection {
  readonly name: string
  readonly fixed: boolean
}

export function nameColumn<Entry extends Connection>(): Column<Entry> {
  return {
    key: 'name',
    title: t('registry.name'),
    class: 'main',
    cell: ({ name, fixed }) => (
      <>
        <strong>{printable(name)}</strong>{' '}
        {fixed && (
          <span class="mark" title={t('registry.fixed')}>
            {t('registry.atStart')}
          </span>
        )}
      </>
    ),
  }
}

export interface ConnectionActions<Entry> {
  readonly isCurrent: (entry: Entry) => boolean
  readonly choose: (entry: Entry) => void
  readonly edit: (entry: Entry) => void
  readonly consequence: (entry: Entry) => string
  readonly forget: (entry: Entry) => Promise<unknown>
  readonly onForgotten: () => void
}

export function actionsColumn<Entry extends Connection>(
  actions: ConnectionActions<Entry>,
): Column<Entry> {
  return {
    key: 'actions',
    title: t('table.actions'),
    class: 'actions',
    cell: (entry) => (
      <span class="row-actions">
        <Choice isCurrent={() => actions.isCurrent(entry)} onChoose={() => actions.choose(entry)} />
        <Button
          kind="quiet"
          icon="edit"
          label={`${t('action.edit')}: ${printable(entry.name)}`}
          reason={reasonAgainst(entry)}
          onClick={() => actions.edit(entry)}
        />
        <ForgetButton
          name={entry.name}
          reason={reasonAgainst(entry)}
          consequence={actions.consequence(entry)}
          forget={() => actions.forget(entry)}
          onDone={actions.onForgotten}
        />
      </span>
    ),
  }
}

/** A separate component: only it is rendered again when the selection changes. */
function Choice(props: {
  readonly isCurrent: () => boolean
  readonly onChoose: () => void
}): VNode {
  if (props.isCurrent()) return <Badge tone="info">{t('registry.shown')}</Badge>
  return <Button onClick={props.onChoose}>{t('registry.show')}</Button>
}

function reasonAgainst({ fixed }: Connection): string | undefined {
  if (!mayAct.value) return t('reason.guest')
  return fixed ? t('registry.fixed') : undefined
}
