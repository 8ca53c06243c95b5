-- A sign-in on our screens at a user pool elsewhere: which screen its browser is on, and what it has proved there.
alter table sign_in_attempts
  add column login_hint text,
  add column entrance text check (entrance in ('signIn', 'signUp', 'forgotPassword')),
  add column screen jsonb,
  add column progress_sealed text;
