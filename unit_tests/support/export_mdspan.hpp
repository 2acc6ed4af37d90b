// std::mdspan where the compiler has it; else what this interface of C++23 has in common with it.
#pragma once

#if __has_include(<version>)
#include <version>
#endif
#ifdef __cpp_lib_mdspan
#include <mdspan>
namespace md = std;
#else
#include <array>
#include <cstddef>

namespace md {

inline constexpr std::size_t dynamic_extent = static_cast<std::size_t>(-1);

template <class I, std::size_t... N> struct extents {
    using index_type = I;
    std::array<std::size_t, sizeof...(N)> n{N...};
    constexpr extents() = default;
    template <class... L, class = decltype(std::array<std::size_t, sizeof...(L)>{L()...})>
    constexpr explicit extents(L... lengths) : n{static_cast<std::size_t>(lengths)...} {}
    static constexpr std::size_t rank() { return sizeof...(N); }
    constexpr std::size_t size() const {
        std::size_t product = 1;
        for (std::size_t x : n) product *= x;
        return product;
    }
};

template <class E, bool Rows, bool Whole> struct strided {
    E lengths{};
    std::array<std::size_t, E::rank()> step{};
    constexpr strided() : strided(E{}) {}
    constexpr strided(E x) : lengths(x) {
        std::size_t next = 1;
        for (std::size_t k = 0; k < E::rank(); k++) {
            const std::size_t axis = Rows ? E::rank() - 1 - k : k;
            step[axis] = next, next *= x.n[axis];
        }
    }
    constexpr strided(E x, std::array<std::size_t, E::rank()> steps) : lengths(x), step(steps) {}
    template <class... K> constexpr std::size_t operator()(K... at) const {
        const std::array<std::size_t, sizeof...(K)> k{static_cast<std::size_t>(at)...};
        std::size_t place = 0;
        for (std::size_t i = 0; i < k.size(); i++) place += k[i] * step[i];
        return place;
    }
    static constexpr bool is_always_exhaustive() { return Whole; }
    constexpr std::size_t required_span_size() const {
        std::size_t last = 0;
        for (std::size_t i = 0; i < E::rank(); i++) last += (lengths.n[i] - 1) * step[i];
        return lengths.size() ? last + 1 : 0;
    }
};

struct layout_right {
    template <class E> using mapping = strided<E, true, true>;
};
struct layout_left {
    template <class E> using mapping = strided<E, false, true>;
};
struct layout_stride {
    template <class E> using mapping = strided<E, true, false>;
};

template <class T, class E, class L = layout_right> class mdspan {
  public:
    using element_type = T;
    using reference = T &;
    using data_handle_type = T *;
    using extents_type = E;
    using layout_type = L;
    using mapping_type = typename L::template mapping<E>;
    mdspan(T *data, mapping_type mapping) : data_(data), mapping_(mapping) {}
    template <class... N> explicit mdspan(T *data, N... n) : mdspan(data, mapping_type(E(n...))) {}
    data_handle_type data_handle() const { return data_; }
    const mapping_type &mapping() const { return mapping_; }
    std::size_t size() const { return mapping_.lengths.size(); }

  private:
    T *data_;
    mapping_type mapping_;
};

} // namespace md
#endif
