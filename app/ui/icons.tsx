const EYE =
  'M1.8 10S4.8 4.5 10 4.5 18.2 10 18.2 10 15.2 15.5 10 15.5 1.8 10 1.8 10zM10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z'

/** Our few icons: 20 px, one line weight, always beside a word or with a hidden one. */
const PATHS = {
  home: 'M3 8.5 10 3l7 5.5V16a1 1 0 0 1-1 1h-3.5v-5h-5v5H4a1 1 0 0 1-1-1z',
  users:
    'M7.5 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 17v-1.5a4 4 0 0 1 4-4h3a4 4 0 0 1 4 4V17M13.5 3.3a3 3 0 0 1 0 5.4M15.5 11.8a4 4 0 0 1 2.5 3.7V17',
  sponsoring:
    'M7 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 17v-1.5a4 4 0 0 1 4-4h2M14 17s-4-2.4-4-4.9a2.1 2.1 0 0 1 4-1 2.1 2.1 0 0 1 4 1c0 2.5-4 4.9-4 4.9z',
  journeys: 'M2.5 16.5h4v-4h4v-4h4v-4h3',
  plus: 'M10 4v12M4 10h12',
  analytics: 'M3 17h14M5.5 17v-5M10 17V5M14.5 17V9',
  settings: 'M3 6h8M15 6h2M3 14h2M9 14h8M13 4v4M7 12v4',
  testing: 'M8 3h4M9 3v5L4.5 15.5A1 1 0 0 0 5.4 17h9.2a1 1 0 0 0 .9-1.5L11 8V3M6.5 12.5h7',
  bell: 'M5 8a5 5 0 0 1 10 0c0 4 1.5 5.5 1.5 5.5h-13S5 12 5 8zM8.3 16.5a2 2 0 0 0 3.4 0',
  building:
    'M4 17V4a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v13M12 8h3a1 1 0 0 1 1 1v8M2.5 17h15M7 6.5h2M7 9.5h2M7 12.5h2',
  back: 'M12 4.5 6.5 10l5.5 5.5',
  forward: 'M8 4.5l5.5 5.5L8 15.5',
  down: 'M5 7.5l5 5 5-5',
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12zM13.5 13.5 17 17',
  close: 'M5 5l10 10M15 5 5 15',
  leave: 'M8 3.5H5a1 1 0 0 0-1 1v11a1 1 0 0 0 1 1h3M12 6.5l3.5 3.5-3.5 3.5M15.5 10H8',
  eye: EYE,
  'eye-off': `M3 3l14 14${EYE}`,
  success: 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM6.8 10.2l2.2 2.2 4.2-4.6',
  error: 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM10 6.3v4.4M10 13.5v.1',
  warning: 'M10 3 2.5 16.5h15zM10 8.5v3.2M10 14v.1',
  info: 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM10 9.3v4.4M10 6.5v.1',
} as const

export type IconName = keyof typeof PATHS

/** As wide as the browser's text size asks, with the height that follows. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={`${size / 16}rem`} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}

/** An upward step: our own mark, where a tenant has no logo. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M6.5 25H13v-5.5h6.5V14H26" />
      <circle cx="23" cy="8" r="2.8" />
    </svg>
  )
}
