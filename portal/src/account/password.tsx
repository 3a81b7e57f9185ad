interface PasswordProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly autocomplete: "current-password" | "new-password";
}

/** A password as browsers and their managers know it. */
export const Password = ({ label, value, onInput, autocomplete }: PasswordProps) => (
  <label class="field">
    {label}
    <input
      type="password"
      required
      maxLength={200}
      minLength={autocomplete === "new-password" ? 12 : undefined}
      autocomplete={autocomplete}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  </label>
);
