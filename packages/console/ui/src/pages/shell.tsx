/** The frame of every page: navigation, registry, freshness and account. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect } from 'preact/hooks'

import { Button } from '../components/button.tsx'
import { Confirmation } from '../components/confirmation.tsx'
import { Icon } from '../components/icon.tsx'
import { openPalette, Palette } from '../components/palette.tsx'
import { Shortcuts } from '../components/shortcuts.tsx'
import { Toasts } from '../components/toasts.tsx'
import { language, setLanguage, t } from '../i18n/i18n.ts'
import { path } from '../state/address.ts'
import { base } from '../tab/base.ts'
import { to } from '../state/links.ts'
import { places } from '../state/nav.ts'
import { mayAct } from '../state/session.ts'
import { setTheme, theme, themes } from '../state/theme.ts'
import { FreshnessNotice, RegistryPicker } from './registry-picker.tsx'
import { UserMenu } from './user-menu.tsx'

export function Shell({ children }: { readonly children: ComponentChildren }): VNode {
  const isOpen = useSignal(false)
  useEffect(() => {
    isOpen.value = false
  }, [path.value])
  return (
    <div class={isOpen.value ? 'shell nav-open' : 'shell'}>
      <a class="skip" href="#content">
        {t('nav.skip')}
      </a>
      <header class="top">
        <span class="menu-button">
          <Button
            kind="quiet"
            icon={isOpen.value ? 'close' : 'menu'}
            label={t('nav.menu')}
            expanded={isOpen.value}
            onClick={() => (isOpen.value = !isOpen.value)}
          />
        </span>
        <a class="brand" href={to('/jobs')}>
          <img src={`${base}/icon.svg`} alt="" width="24" height="24" />
          ElasticJob
        </a>
        <RegistryPicker />
        <button type="button" class="search-button" onClick={() => openPalette()}>
          <Icon name="search" />
          <span>{t('palette.open')}</span>
          <kbd>{/mac/iu.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
        <span class="top-right">
          <Looks />
          <UserMenu />
        </span>
      </header>
      <nav class="side" aria-label={t('nav.label')}>
        <ul>
          {places
            .filter(({ root = false }) => !root || mayAct.value)
            .map(({ path: target, title, icon }) => (
              <li key={target}>
                <a
                  href={to(target)}
                  aria-current={isWithin(path.value, target) ? 'page' : undefined}
                >
                  <Icon name={icon} />
                  {t(title)}
                </a>
              </li>
            ))}
        </ul>
      </nav>
      <main id="content" tabIndex={-1}>
        <FreshnessNotice />
        {children}
      </main>
      <Palette />
      <Shortcuts />
      <Confirmation />
      <Toasts />
    </div>
  )
}

/** Light or dark theme, English or Chinese. */
export function Looks(): VNode {
  const icons = { system: 'screen', light: 'sun', dark: 'moon' } as const
  const next = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system'
  return (
    <>
      <Button
        kind="quiet"
        icon={icons[theme.value]}
        label={t('look.theme', { theme: t(`theme.${theme.value}`) })}
        onClick={() => setTheme(next)}
      />
      <button
        type="button"
        class="button quiet"
        lang={language.value === 'en' ? 'zh-CN' : 'en'}
        aria-label={language.value === 'en' ? '切换到中文' : 'Switch to English'}
        onClick={() => void setLanguage(language.value === 'en' ? 'zh' : 'en')}
      >
        {language.value === 'en' ? '中文' : 'English'}
      </button>
    </>
  )
}

function isWithin(here: string, target: string): boolean {
  if (target === '/jobs' && (here === '/' || here.startsWith('/runs/'))) return true
  return here === target || here.startsWith(`${target}/`)
}
