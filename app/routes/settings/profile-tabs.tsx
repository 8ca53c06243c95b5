import { Tabs } from '#app/ui/tabs.tsx'

const TABS = [
  { to: '/settings/profile', label: 'Profile' },
  { to: '/settings/contact', label: 'Contacts' },
  { to: '/settings/privacy', label: 'Privacy' },
  { to: '/settings/security', label: 'Sign-in' },
  { to: '/settings/sessions', label: 'Sessions' },
]

/** The tabs of a person's own settings. */
export const ProfileTabs = () => <Tabs label="Your settings" tabs={TABS} />
