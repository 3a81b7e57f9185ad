/** An object with some members replaced. Everything else reaches `target` unchanged. */
export const overriding = <T extends object>(target: T, own: Partial<T>): T =>
  new Proxy(target, {
    get: (inner, name) => {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name);
      const member: unknown = Reflect.get(inner, name);
      return typeof member === "function" ? member.bind(inner) : member;
    },
  });
