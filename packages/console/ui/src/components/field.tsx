import type { ComponentChildren, VNode } from 'preact'
import { useId } from 'preact/hooks'

interface Shared {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
  readonly hideLabel?: boolean
  readonly disabled?: boolean
  readonly name?: string
}

interface TextProps extends Shared {
  readonly value: string
  readonly onInput: (value: string) => void
  readonly type?: 'text' | 'password' | 'number' | 'search' | 'datetime-local'
  readonly placeholder?: string
  readonly autocomplete?: string
  readonly required?: boolean
  readonly lines?: number
  readonly mono?: boolean
  readonly list?: readonly string[]
  readonly focus?: boolean
}

function Frame(
  props: Shared & {
    readonly id: string
    readonly class?: string
    readonly children: ComponentChildren
  },
): VNode {
  const { id, label, hint, error, hideLabel = false } = props
  return (
    <div class={`field ${props.class ?? ''}`}>
      <label for={id} class={hideLabel ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {props.children}
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <div class="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
    </div>
  )
}

function describedBy(id: string, { hint, error }: Shared): string | undefined {
  const parts = [error && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean)
  return parts.length === 0 ? undefined : parts.join(' ')
}

export function TextField(props: TextProps): VNode {
  const id = useId()
  const { value, onInput, type = 'text', lines = 1, list } = props
  const shared = {
    id,
    value,
    name: props.name,
    placeholder: props.placeholder,
    disabled: props.disabled,
    required: props.required,
    class: props.mono === true ? 'mono' : undefined,
    'aria-invalid': props.error === undefined ? undefined : ('true' as const),
    'aria-describedby': describedBy(id, props),
    autocomplete: props.autocomplete ?? 'off',
    autofocus: props.focus,
    spellcheck: false,
  }
  return (
    <Frame {...props} id={id}>
      {lines > 1 ? (
        <textarea
          {...shared}
          rows={lines}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      ) : (
        <input
          {...shared}
          {...({ type } as { type: 'text' })}
          list={list === undefined ? undefined : `${id}-list`}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
      {list !== undefined && (
        <datalist id={`${id}-list`}>
          {list.map((each) => (
            <option value={each} />
          ))}
        </datalist>
      )}
    </Frame>
  )
}

export function SelectField(
  props: Shared & {
    readonly value: string
    readonly options: readonly { readonly value: string; readonly title: string }[]
    readonly onChange: (value: string) => void
  },
): VNode {
  const id = useId()
  return (
    <Frame {...props} id={id}>
      <select
        id={id}
        name={props.name}
        value={props.value}
        disabled={props.disabled}
        aria-describedby={describedBy(id, props)}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        {props.options.map(({ value, title }) => (
          <option value={value} key={value} selected={value === props.value}>
            {title}
          </option>
        ))}
      </select>
    </Frame>
  )
}

export function CheckField(
  props: Shared & { readonly checked: boolean; readonly onChange: (checked: boolean) => void },
): VNode {
  const id = useId()
  return (
    <Frame {...props} id={id} class="check">
      <input
        id={id}
        type="checkbox"
        name={props.name}
        checked={props.checked}
        disabled={props.disabled}
        aria-describedby={describedBy(id, props)}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
    </Frame>
  )
}
