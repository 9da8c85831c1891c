// Calls a kernel with the addresses of its arguments, as the driver has them.
template <class... A, size_t... I> static void spread(void (*kernel)(A...), void **arguments, std::index_sequence<I...>) {
  kernel(*(std::remove_cv_t<A> *)arguments[I]...);
}
template <class... A> static void launch(void (*kernel)(A...), void **arguments) {
  spread(kernel, arguments, std::index_sequence_for<A...>{});
}
// The sizes of its arguments, and a zero.
template <class... A> static const size_t *sizes(void (*)(A...)) {
  static const size_t list[] = {sizeof(A)..., 0};
  return list;
}
extern "C" const size_t *emulated_sizes() { return sizes(kernel_main); }
extern "C" void emulated_launch(void **arguments) { launch(kernel_main, arguments); }
